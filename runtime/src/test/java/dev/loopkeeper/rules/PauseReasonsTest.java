package dev.loopkeeper.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.verdict.SignalDetail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every pause reason in a task, a gate, a loop and an item: the table of {@code docs/deciding.md} is true. */
class PauseReasonsTest {
    private static final String HEAD = "| pause | task | gate | loop | item |";

    /** A step of the middle pauses the run, so that all ways to continue differ. */
    private enum Place {
        TASK("{name: work, task: judge}"),
        GATE("{name: work, gate: judge}"),
        LOOP("{name: work, loop: {steps: [dev, judge, cheap], maxIterations: 5, pauseEvery: EVERY}}"),
        ITEM("{name: work, each: {steps: [dev, judge, cheap], items: [{id: f1}], maxAttempts: 3}}");

        private final String phase;

        Place(String phase) {
            this.phase = phase;
        }
    }

    /** A row of the table, with the step's ending that leads to its pause. */
    private record Row(String pause, PauseReason reason, StepEnd end, ResumeAction action) {
        Row(String pause, PauseReason reason, StepEnd end) {
            this(pause, reason, end, ResumeAction.CONTINUE);
        }

        RunKit endsIn(Place place) {
            RunKit run = RunKit.started("retry: {transient: {max: 0}}\n"
                    + Manifests.phases(
                            place.phase.replace("EVERY", reason == PauseReason.CADENCE ? "1" : "0"),
                            "{name: end, task: audit}"));
            if (place == Place.LOOP || place == Place.ITEM) {
                run.ends("dev", StepEnd.exit(0));
            }
            if (reason == PauseReason.OPERATOR) {
                run.pause();
            }
            run.ends("judge", end);
            boolean untilItsUnitIsOver = reason == PauseReason.CADENCE || reason == PauseReason.ANOMALY;
            return untilItsUnitIsOver && run.open().stream().anyMatch(step -> step.contains(".cheap."))
                    ? run.ends("cheap", StepEnd.exit(0))
                    : run;
        }

        String cell(Place place) {
            RunKit run = endsIn(place);
            if (run.count("run.paused") == 0) {
                return "–";
            }
            assertThat(run.paused().reason()).isEqualTo(reason);
            String after = after(run);
            run.resume(Resume.with(action));
            return after + ": " + whatFollows(run.open().get(0));
        }

        private static String after(RunKit run) {
            StepFinished step = run.history().stream()
                    .filter(StepFinished.class::isInstance)
                    .map(StepFinished.class::cast)
                    .filter(finished -> finished.agent().equals("judge"))
                    .findFirst()
                    .orElseThrow();
            if (run.lastEvent(RunPaused.class).pause().accepted().isPresent()) {
                return "accepting";
            }
            boolean cut = run.history().stream()
                    .anyMatch(event -> event instanceof IterationFinished iteration
                            && !iteration.result().counts());
            return cut ? "`CUT_SHORT`" : step.consumed() ? "`GO_ON`" : "`REDO`";
        }

        private static String whatFollows(String stepId) {
            return switch (stepId) {
                case "end.audit.1" -> "next phase";
                case "work.1.cheap.1", "work.f1.cheap.1" -> "next step";
                case "work.2.dev.1" -> "next iteration";
                case "work.1.dev.2" -> "iteration again";
                case "work.f1.dev.1-2" -> "attempt again";
                case "work.f1.dev.2" -> "next attempt";
                case "work.judge.2", "work.1.judge.1-2", "work.f1.judge.1-2" -> "again";
                default -> stepId;
            };
        }
    }

    private static Stream<Row> rows() {
        StepEnd silent = StepEnd.silent(SignalDetail.ABSENT);
        StepEnd overloaded = StepEnd.provider(OptionalLong.empty());
        StepEnd progress = StepEnd.signal("determination: PROGRESS");
        StepEnd rejected = StepEnd.signal("verdict: rejected");
        ResumeAction retry = ResumeAction.RETRY_ITERATION;
        return Stream.of(
                new Row("`missing_signals`", PauseReason.MISSING_SIGNALS, silent),
                new Row("`missing_signals`, `retry_iteration`", PauseReason.MISSING_SIGNALS, silent, retry),
                new Row(
                        "`user_input_needed`",
                        PauseReason.USER_INPUT_NEEDED,
                        StepEnd.signal("status: partial, userInputNeeded: true")),
                new Row("`anomaly`: ANOMALY", PauseReason.ANOMALY, StepEnd.signal("determination: ANOMALY")),
                new Row(
                        "`anomaly`: `recommendStop`",
                        PauseReason.ANOMALY,
                        StepEnd.signal("status: completed, recommendStop: true")),
                new Row("`anomaly`: unusable prompt", PauseReason.ANOMALY, StepEnd.withoutPrompt()),
                new Row(
                        "`scope_complete`, `finish_loop`",
                        PauseReason.SCOPE_COMPLETE,
                        StepEnd.signal("readiness: SCOPE_COMPLETE"),
                        ResumeAction.FINISH_LOOP),
                new Row("`cadence`", PauseReason.CADENCE, progress),
                new Row("`operator`", PauseReason.OPERATOR, progress),
                new Row("`provider_unavailable`", PauseReason.PROVIDER_UNAVAILABLE, overloaded),
                new Row(
                        "`provider_unavailable`, `retry_iteration`",
                        PauseReason.PROVIDER_UNAVAILABLE,
                        overloaded,
                        retry),
                new Row("`survivors`", PauseReason.SURVIVORS, progress.leaving("12 sleeper")),
                new Row("`survivors`, step rejected", PauseReason.SURVIVORS, rejected.leaving("12 sleeper")));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theTableSaysWhatAResumeDoes(Row row) throws IOException {
        String line = Arrays.stream(Place.values())
                        .map(row::cell)
                        .reduce("| " + row.pause(), (all, cell) -> all + " | " + cell)
                + " |";

        assertThat(table()).contains(line);
    }

    @Test
    void theTableHasEveryReasonAndNoOtherRow() throws IOException {
        assertThat(rows().map(Row::reason)).contains(PauseReason.values());
        assertThat(table()).hasSize((int) rows().count());
    }

    private static List<String> table() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("..", "docs", "deciding.md"));
        return lines.stream()
                .skip(lines.indexOf(HEAD) + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }
}
