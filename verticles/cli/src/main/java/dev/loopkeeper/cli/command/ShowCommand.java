package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.follow.RunReport;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.ServerFacts;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.step.ContextText;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepSession;
import dev.loopkeeper.view.IterationRow;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Step;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper show RUN [STEP]}. */
@Command(name = "show", description = "Show one run, or one of its steps and what its launch knew.")
public final class ShowCommand extends OneRunCommand {
    private static final int ITERATIONS = 5;
    private static final int ERROR_LINES = 5;

    @Parameters(index = "1", arity = "0..1", paramLabel = "STEP", description = "Id of the step, e.g. build.3.dev.1.")
    private String stepId;

    @Override
    public Integer call() {
        return withRun(facts -> {
            if (stepId != null) {
                showStep(facts);
                return;
            }
            print(facts.run(run.id()), found -> {
                RunReport.whole(root, found, facts, committed(facts, found)).forEach(this::print);
                if (!found.atRest() && facts instanceof ServerFacts) {
                    print("  follow it with: " + root.hint("watch " + found.runId()));
                }
            });
        });
    }

    private void showStep(RunFacts facts) {
        Document<Step> step = facts.step(run.id(), stepId);
        Document<LaunchContext> context = facts.context(run.id(), stepId);
        ObjectNode both = step.json().deepCopy();
        both.set("context", context.json());
        print(new Document<>(both, Step.class), found -> {
            print(found.stepId() + ": " + found.agent()
                    + found.escalatedFrom()
                            .map(agent -> ", takes over from " + agent)
                            .orElse("")
                    + ", "
                    + found.status().wire()
                    + found.result().flatMap(ShowCommand::exit).orElse("")
                    + found.result()
                            .flatMap(StepResult::session)
                            .map(ShowCommand::session)
                            .orElse(""));
            found.result().flatMap(StepResult::errorContext).stream()
                    .flatMap(error -> Words.lastLines(error.message(), ERROR_LINES).stream())
                    .forEach(line -> print("  error: " + line));
            found.verdict()
                    .ifPresent(verdict -> print("  verdict " + verdict
                            + found.concern()
                                    .map(concern -> ": " + Words.shown(concern))
                                    .orElse("")));
            found.result().ifPresent(this::print);
            String block = ContextText.block(
                    context.view(), root.hint("show " + found.runId() + " " + found.stepId() + " --json"));
            print("");
            print("What the launch knew:");
            (block.isEmpty() ? Stream.of("Nothing came before this launch.") : block.lines())
                    .map(OneLine::readable)
                    .forEach(this::print);
        });
    }

    private void print(StepResult result) {
        result.signal().ifPresent(signal -> print("  signal " + Words.shown(signal.toString())));
        result.sandbox().ifPresent(level -> print("  sandbox " + level));
        String cost = result.costUsd().isPresent()
                ? ", cost " + Amounts.cost(result.costUsd().getAsDouble(), result.estimated())
                : "";
        print("  took " + Words.duration(result.durationMs()) + cost);
    }

    private static String session(StepSession session) {
        return ", session " + OneLine.readable(session.id())
                + session.continuedFrom()
                        .map(step -> ", continued from " + step)
                        .orElse("");
    }

    private static Optional<String> exit(StepResult result) {
        return result.exitCode().isPresent()
                ? Optional.of(", exit " + result.exitCode().getAsInt())
                : Optional.empty();
    }

    /** Returns the newest iterations; none if the run has no worktree, as its iterations commit nothing. */
    private static List<IterationRow> committed(RunFacts facts, Run found) {
        return found.git().isPresent() ? facts.newestIterations(found.runId(), ITERATIONS) : List.of();
    }
}
