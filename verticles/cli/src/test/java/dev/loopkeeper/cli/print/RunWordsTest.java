package dev.loopkeeper.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunWordsTest {
    private static Run run(String kind, String iteration, int units) throws JsonProcessingException {
        return ViewJson.run(Json.MAPPER.readTree("""
                {"status": "paused", "position": {"phase": "build", "iteration": %s, "item": null, "stepId": null},
                 "phases": [{"name": "build", "kind": "%s", "status": "active"}],
                 "statistics": {"itemsTotal": %d}, "executions": []}
                """.formatted(iteration, kind, units)));
    }

    @Test
    void aTaskKeepsTheWordOfItsVerdict() throws JsonProcessingException {
        String text = """
                {"phases": [{"name": "build", "kind": "loop"}, {"name": "review", "kind": "task"}],
                 "last": {"stepId": "review.judge.1", "verdict": "rejected", "at": "2026-11-20T15:50:00Z"}}
                """;

        assertThat(RunWords.last(ViewJson.run(Json.MAPPER.readTree(text)))).isEqualTo("rejected");
        assertThat(RunWords.last(ViewJson.run(Json.MAPPER.readTree(text.replace("review.", "build.")))))
                .isEqualTo("STALLED");
    }

    @Test
    void anIterationThatAskedIsOneOfThoseThatWereSpent() throws JsonProcessingException {
        assertThat(RunWords.spent(run("loop", "3", 2))).contains("3 iterations");
        assertThat(RunWords.spent(run("loop", "1", 0))).contains("1 iteration");
        assertThat(RunWords.spent(run("loop", "null", 2))).contains("2 iterations");
        assertThat(RunWords.spent(run("each", "null", 2))).contains("2 units");
        assertThat(RunWords.spent(run("task", "null", 0))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            3    | 3    | 20   | build 3/20        | 3 of 20
            4    | 3    | 3    | build 4, 3/3 used | 4, 3 of 3 used
            1    | 0    | 3    | build 1, 0/3 used | 1, 0 of 3 used
            7    | 7    | null | build 7           | 7
            7    | null | 3    | build 7           | 7
            """)
    void anIterationThatDoesNotCountIsNotShownAgainstTheLimit(
            String iteration, String counted, String limit, String place, String words) throws JsonProcessingException {
        Run run = ViewJson.run(Json.MAPPER.readTree("""
                {"status": "paused", "position": {"phase": "build", "iteration": %s, "countedIterations": %s},
                 "limits": {"maxIterations": %s}}
                """.formatted(iteration, counted, limit)));

        assertThat(RunWords.position(run)).isEqualTo(place);
        assertThat(RunWords.iteration(run)).contains(words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            stopped by an operator                | stopped by an operator (error_operator_stop, operator-stop)
            stopped by an operator: wrong branch  | stopped by an operator (error_operator_stop, operator-stop), wrong branch
            stopped by an operator during a pause | stopped by an operator (error_operator_stop, operator-stop), during a pause
            wrong branch                          | stopped by an operator (error_operator_stop, operator-stop), wrong branch
            """)
    void aSummaryThatRepeatsTheReasonIsNotPrinted(String summary, String words) throws JsonProcessingException {
        Run run = ViewJson.run(Json.MAPPER.readTree("""
                {"status": "stopped", "termination": {"subtype": "error_operator_stop", "reasonCode": "operator-stop",
                 "success": false, "summary": "%s"}}
                """.formatted(summary)));

        assertThat(RunWords.ended(run.termination().orElseThrow())).isEqualTo(words);
    }

    /** A run that waited for an hour was shown with the age of its active time: a second. */
    @Test
    void theAgeOfAWaitingRunIsItsWait() throws JsonProcessingException {
        Instant failed = Instant.now().minus(Duration.ofMinutes(42));
        Run waits = ViewJson.run(Json.MAPPER.readTree("""
                {"status": "waiting", "activeMs": 751, "createdAt": "2026-01-02T00:00:00Z", "executions": [],
                 "waiting": {"reason": "provider", "message": "429", "resumeAt": "2026-01-02T02:00:00Z"},
                 "last": {"stepId": "build.1.dev.1", "verdict": "FAILED", "concern": "429", "at": "%s"}}
                """.formatted(failed)));

        assertThat(RunWords.age(waits, Times.here())).isEqualTo("42m");
    }

    @Test
    void aRunThatWaitsForANodeSaysWhichAndWhatElse() throws JsonProcessingException {
        Run waits = ViewJson.run(Json.MAPPER.readTree("""
                {"status": "running", "position": {"phase": "build", "iteration": 3, "item": null, "stepId": "build.3.dev.1"},
                 "waitsFor": "n1, silent 3 m", "executions": []}
                """));

        assertThat(RunWords.why(waits, Times.here())).isEqualTo("waits for n1, silent 3 m; build.3.dev.1");
        assertThat(RunWords.waits(run("task", "null", 0))).isEmpty();
    }

    @Test
    void aLongActivityIsCut() throws JsonProcessingException {
        Run run = ViewJson.run(Json.MAPPER.readTree("""
                {"status": "running", "executions": [],
                 "activity": {"stepId": "build.3.dev.1", "text": "%s", "at": "2026-01-02T00:00:00Z"}}
                """.formatted("x".repeat(1000))));

        assertThat(RunWords.why(run, Times.here())).isEqualTo("x".repeat(239) + "…");
    }
}
