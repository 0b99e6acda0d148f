package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code loopkeeper logs RUN [STEP]}. */
@Command(name = "logs", description = "Print what a step has written; default the newest step.")
final class LogsVerb implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofSeconds(2);

    private final RootCommand root;

    @Mixin
    private RunArgument run;

    @Parameters(index = "1", arity = "0..1", paramLabel = "STEP", description = "Id of the step, e.g. build.3.dev.1.")
    private String stepId;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on while it is written; without STEP also with the steps that follow.")
    private boolean follow;

    @Option(
            names = "--stream",
            paramLabel = "STREAM",
            defaultValue = "stdout",
            description = "stdout, which is the default, or stderr.")
    private String stream;

    LogsVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        if (!List.of("stdout", "stderr").contains(stream)) {
            throw CommandFailure.refused("--stream knows stdout and stderr, not '" + Words.oneLine(stream) + "'");
        }
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            Optional<Api> server = session.server();
            if (stepId == null && follow && server.isPresent()) {
                followRun(server.get(), facts);
            } else {
                facts.log(run.id(), stepId == null ? newest(facts) : stepId, stream, follow);
            }
        }
        root.console().out().flush();
        return ExitCodes.DONE;
    }

    private String newest(RunFacts facts) {
        List<String> steps = facts.steps(run.id());
        if (steps.isEmpty()) {
            throw CommandFailure.refused("run " + run.id() + " has launched no step yet");
        }
        return steps.get(steps.size() - 1);
    }

    private void followRun(Api api, RunFacts facts) {
        try (FeedReader feed = FeedReader.open(api, Optional.of(run.id()), Optional.empty())) {
            List<String> steps = facts.steps(run.id());
            String last = steps.isEmpty() ? "" : print(facts, steps.get(steps.size() - 1));
            while (!RunStates.pausedOrEnded(facts.run(run.id()))) {
                last = printIfNew(facts, feed.next(LOOK), last);
            }
        } catch (FeedReader.EndedException ended) {
            throw CommandFailure.unreachable("the server at " + api.location().url() + " has ended the feed");
        }
    }

    private String printIfNew(RunFacts facts, JsonNode event, String last) {
        String started = event.path("data").path("stepId").asText();
        boolean isNew = event.path("type").asText().equals("step.started") && !started.equals(last);
        return isNew ? print(facts, started) : last;
    }

    private String print(RunFacts facts, String step) {
        root.console().err().println("==> " + step + " <==");
        facts.log(run.id(), step, stream, true);
        return step;
    }
}
