package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.rules.message.GitResult;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.step.StepWorktree;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalReading;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every kind of input in every condition: the table below holds each pair, and each is decided as it says. */
class EveryInputTest {
    /** The answer: types of events, {@code nothing}, {@code late}, or the code of a refusal. */
    @ParameterizedTest(name = "{0} when {1}")
    @CsvSource(delimiter = '|', textBlock = """
            Start      | Queued   | run.started phase.started iteration.started step.started
            Start      | Running  | nothing
            Start      | Waiting  | nothing
            Start      | Paused   | nothing
            Start      | Stopping | nothing
            Start      | Ended    | late
            Recover    | Queued   | nothing
            Recover    | Running  | notice
            Recover    | Waiting  | step.started
            Recover    | Paused   | nothing
            Recover    | Stopping | notice
            Recover    | Ended    | late
            StepEnded  | Queued   | late
            StepEnded  | Running  | step.finished step.started
            StepEnded  | Waiting  | late
            StepEnded  | Paused   | late
            StepEnded  | Stopping | step.finished terminal-exhaustion run.ended
            StepEnded  | Ended    | late
            Ask        | Queued   | ask-closed
            Ask        | Running  | ask.opened
            Ask        | Waiting  | ask-closed
            Ask        | Paused   | ask-closed
            Ask        | Stopping | ask.opened
            Ask        | Ended    | ask-closed
            Answer     | Queued   | not-found
            Answer     | Running  | not-found
            Answer     | Waiting  | not-found
            Answer     | Paused   | not-found
            Answer     | Stopping | not-found
            Answer     | Ended    | not-found
            Swept      | Queued   | late
            Swept      | Running  | late
            Swept      | Waiting  | late
            Swept      | Paused   | late
            Swept      | Stopping | late
            Swept      | Ended    | late
            GitDone    | Queued   | nothing
            GitDone    | Running  | nothing
            GitDone    | Waiting  | step.started
            GitDone    | Paused   | nothing
            GitDone    | Stopping | nothing
            GitDone    | Ended    | late
            ItemsRead  | Queued   | late
            ItemsRead  | Running  | late
            ItemsRead  | Waiting  | late
            ItemsRead  | Paused   | late
            ItemsRead  | Stopping | late
            ItemsRead  | Ended    | late
            Remark     | Queued   | notice
            Remark     | Running  | notice
            Remark     | Waiting  | notice
            Remark     | Paused   | notice
            Remark     | Stopping | notice
            Remark     | Ended    | late
            SignalSeen | Queued   | late
            SignalSeen | Running  | step.signal
            SignalSeen | Waiting  | late
            SignalSeen | Paused   | late
            SignalSeen | Stopping | step.signal
            SignalSeen | Ended    | late
            AgentRetries | Queued   | late
            AgentRetries | Running  | notice
            AgentRetries | Waiting  | late
            AgentRetries | Paused   | late
            AgentRetries | Stopping | notice
            AgentRetries | Ended    | late
            UsageSeen  | Queued   | late
            UsageSeen  | Running  | step.usage
            UsageSeen  | Waiting  | late
            UsageSeen  | Paused   | late
            UsageSeen  | Stopping | step.usage
            UsageSeen  | Ended    | late
            TimerDue   | Queued   | nothing
            TimerDue   | Running  | nothing
            TimerDue   | Waiting  | step.started
            TimerDue   | Paused   | nothing
            TimerDue   | Stopping | nothing
            TimerDue   | Ended    | late
            Permitted  | Queued   | nothing
            Permitted  | Running  | nothing
            Permitted  | Waiting  | step.started
            Permitted  | Paused   | nothing
            Permitted  | Stopping | nothing
            Permitted  | Ended    | late
            Held       | Queued   | nothing
            Held       | Running  | nothing
            Held       | Waiting  | run.waiting
            Held       | Paused   | nothing
            Held       | Stopping | nothing
            Held       | Ended    | late
            Stop       | Queued   | stop terminal-exhaustion run.ended
            Stop       | Running  | stop run.stopping
            Stop       | Waiting  | stop terminal-exhaustion run.ended
            Stop       | Paused   | stop terminal-exhaustion run.ended
            Stop       | Stopping | stop run.stopping
            Stop       | Ended    | not-stoppable
            End        | Queued   | stop terminal-exhaustion run.ended
            End        | Running  | stop run.stopping
            End        | Waiting  | stop terminal-exhaustion run.ended
            End        | Paused   | stop terminal-exhaustion run.ended
            End        | Stopping | stop run.stopping
            End        | Ended    | not-endable
            Pause      | Queued   | not-pausable
            Pause      | Running  | run.pausing
            Pause      | Waiting  | run.paused
            Pause      | Paused   | not-pausable
            Pause      | Stopping | not-pausable
            Pause      | Ended    | not-pausable
            Resume     | Queued   | run.started phase.started iteration.started step.started
            Resume     | Running  | not-resumable
            Resume     | Waiting  | run.resumed step.started
            Resume     | Paused   | run.resumed step.started
            Resume     | Stopping | not-resumable
            Resume     | Ended    | run.resumed step.started
            Broken     | Queued   | terminal-exhaustion run.ended
            Broken     | Running  | run.stopping
            Broken     | Waiting  | terminal-exhaustion run.ended
            Broken     | Paused   | terminal-exhaustion run.ended
            Broken     | Stopping | run.stopping
            Broken     | Ended    | late
            """)
    void eachPairIsDecided(String input, String condition, String expected) {
        RunKit run = in(condition);
        assertThat(run.state().condition().getClass().getSimpleName()).isEqualTo(condition);
        assertThat(kinds(RunInput.class)).contains(input);

        run.feed(inputs(run.later(Duration.ofHours(1)).now()).get(input));

        assertThat(answer(run)).isEqualTo(expected);
    }

    @Test
    void theTableHoldsEveryPair() throws ReflectiveOperationException {
        String table = EveryInputTest.class
                .getDeclaredMethod("eachPairIsDecided", String.class, String.class, String.class)
                .getAnnotation(CsvSource.class)
                .textBlock();
        Set<String> pairs = table.lines()
                .map(line -> line.split("\\|"))
                .map(cells -> cells[0].strip() + " " + cells[1].strip())
                .collect(Collectors.toSet());

        Set<String> wanted = kinds(RunInput.class).stream()
                .flatMap(input -> kinds(Condition.class).stream().map(condition -> input + " " + condition))
                .collect(Collectors.toSet());

        assertThat(pairs).isEqualTo(wanted);
        assertThat(inputs(RunKit.BEGIN).keySet()).isEqualTo(kinds(RunInput.class));
    }

    @Test
    void everyKindOfEventHasItsTypeAndIsApplied() {
        Set<String> seen = new HashSet<>();
        for (RunKit run : EveryEvent.runs()) {
            run.history().forEach(event -> seen.add(EventTypes.of(event)));
        }

        assertThat(seen).containsExactlyInAnyOrderElementsOf(EventTypes.all());
        assertThat(kinds(RunEvent.class)).hasSameSizeAs(EventTypes.all());
    }

    private static Set<String> kinds(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .collect(Collectors.toSet());
    }

    private static RunKit in(String condition) {
        RunKit queued = RunKit.queued(Manifests.loop("maxIterations: 5"));
        if (condition.equals("Queued")) {
            return queued;
        }
        RunKit running = queued.feed(new RunInput.Start(RunKit.BEGIN));
        return switch (condition) {
            case "Running" -> running;
            case "Waiting" -> running.ends("dev", provider(OptionalLong.of(60_000)));
            case "Paused" -> running.pause().ends("dev", exit(0));
            case "Stopping" -> running.stop();
            default -> running.pause().ends("dev", exit(0)).stop();
        };
    }

    private static Map<String, RunInput> inputs(Instant at) {
        Signal progress =
                ((SignalReading.Valid) signal("determination: PROGRESS").reading()).signal();
        Map<String, RunInput> inputs = new LinkedHashMap<>();
        Stream.of(
                        new RunInput.Start(at),
                        new RunInput.Recover(at),
                        new RunInput.StepEnded(at, "build.1.dev.1", exit(0).outcome(at, "")),
                        new RunInput.Ask(at, "build.1.dev.1", "k1", "Which one?", List.of(), Duration.ofMinutes(5)),
                        new RunInput.Answer(at, "ask-7", "the first", "alice"),
                        new RunInput.Swept(at, List.of(new StepSwept("build.1.dev.1", 1, List.of(), List.of()))),
                        new RunInput.SignalSeen(at, "build.1.dev.1", progress),
                        new RunInput.UsageSeen(at, "build.1.dev.1", StepEnd.cost(1)),
                        new RunInput.AgentRetries(at, "build.1.dev.1", StepEnd.retry(1)),
                        new RunInput.GitDone(at, worktreeToClear(), new GitResult.Finished(Optional.empty())),
                        new RunInput.ItemsRead(at, "build", List.of(), Optional.empty()),
                        new RunInput.TimerDue(at),
                        new RunInput.Permitted(at, Set.of()),
                        new RunInput.Held(at, StepEnd.held(Optional.empty())),
                        new RunInput.Remark(at, "control-file-refused", "it makes no sense"),
                        new RunInput.Stop(at, StopCause.OPERATOR, Optional.empty(), false),
                        new RunInput.End(at, "halted", "the office closes", Optional.empty(), Optional.empty()),
                        new RunInput.Pause(at, Optional.empty()),
                        new RunInput.Resume(at, ResumeRequest.PLAIN),
                        new RunInput.Broken(at, "no space left on device"))
                .forEach(input -> inputs.put(input.getClass().getSimpleName(), input));
        return inputs;
    }

    private static RunCommand.Git worktreeToClear() {
        return new RunCommand.FinishWorktree(
                new StepWorktree(
                        "/work",
                        "",
                        "worktree",
                        new StepWorktree.Branch("loopkeeper/run-1", "base", "base"),
                        false,
                        List.of(),
                        Optional.empty()),
                false);
    }

    private static String answer(RunKit run) {
        if (run.last().refusal().isPresent()) {
            return run.refused().code().wire();
        }
        if (run.last().late().isPresent()) {
            assertThat(run.types()).isEmpty();
            return "late";
        }
        return run.types().isEmpty() ? "nothing" : String.join(" ", run.types());
    }
}
