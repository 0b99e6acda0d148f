package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who holds a place, and who gets the next. */
class RunSlotsTest {
    /** Each word is a run, called r0, r1, ... in this order; those that are queued wait so many seconds. */
    @ParameterizedTest(name = "{0} with {1} places")
    @CsvSource(delimiter = '|', textBlock = """
            queued:5                          | 1 | r0
            queued:5 queued:9 queued:7        | 1 | r1
            queued:5 queued:9 queued:7        | 2 | r1 r2
            queued:5 queued:9 queued:7        | 0 | r1 r2 r0
            queued:5 queued:5                 | 1 | r0
            running queued:5                  | 1 | none
            waiting queued:5                  | 1 | none
            stopping queued:5                 | 1 | none
            paused queued:5                   | 1 | r1
            ended queued:5                    | 1 | r1
            held queued:5                     | 1 | r1
            held                              | 0 | none
            running waiting queued:5 queued:6 | 3 | r3
            running running running queued:5  | 2 | none
            resumed:9 queued:5                | 1 | r0
            resumed:5 queued:9                | 1 | r1
            """)
    void thoseThatWaitedLongestAreNext(String conditions, int most, String expected) {
        List<RunState> runs = new ArrayList<>();
        for (String condition : conditions.split(" ", -1)) {
            runs.add(run("r" + runs.size(), condition));
        }

        String next = String.join(" ", RunSlots.next(runs, most, run -> false));

        assertThat(next.isEmpty() ? "none" : next).isEqualTo(expected);
    }

    @Test
    void aSlotIsFreeUntilAsManyAreUnderWay() {
        List<RunState> runs = List.of(run("r0", "running"), run("r1", "paused"), run("r2", "waiting"));

        assertThat(RunSlots.isFree(runs, 3)).isTrue();
        assertThat(RunSlots.isFree(runs, 2)).isFalse();
        assertThat(RunSlots.isFree(runs, 0)).isTrue();
    }

    private static RunState run(String runId, String word) {
        String[] parts = word.split(":", -1);
        Duration waited = Duration.ofSeconds(parts.length > 1 ? Long.parseLong(parts[1]) : 0);
        RunState state = switch (parts[0]) {
            case "queued" -> queued();
            case "held" -> queued().withCondition(new Condition.Queued(false, Optional.empty()));
            case "running" -> started().state();
            case "waiting" ->
                started().ends("dev", provider(OptionalLong.of(1000))).state();
            case "stopping" -> started().stop().state();
            case "paused" -> started().pause().ends("dev", exit(0)).state();
            case "ended" -> started().stop().ends("dev", exit(0)).state();
            default ->
                started()
                        .pause()
                        .ends("dev", exit(0))
                        .placeFree(false)
                        .resume(Resume.plain())
                        .state();
        };
        return since(runId, state, waited);
    }

    private static RunKit started() {
        return RunKit.started(Manifests.loop("maxIterations: 5"));
    }

    private static RunState queued() {
        return RunKit.queued(Manifests.loop("maxIterations: 5")).state();
    }

    /** The same run under this id, asked to continue so long before the others. */
    private static RunState since(String runId, RunState state, Duration waited) {
        RunState named = state.withRunId(runId).withCreatedAt(RunKit.BEGIN.minus(waited));
        return state.condition() instanceof Condition.Queued queued
                        && queued.pendingResume().isPresent()
                ? named.withCondition(asked(queued, waited))
                : named;
    }

    private static Condition asked(Condition.Queued queued, Duration waited) {
        Condition.PendingResume pendingResume = queued.pendingResume().orElseThrow();
        return new Condition.Queued(
                true,
                Optional.of(new Condition.PendingResume(
                        pendingResume.rest(),
                        pendingResume.request(),
                        pendingResume.by(),
                        RunKit.BEGIN.minus(waited))));
    }
}
