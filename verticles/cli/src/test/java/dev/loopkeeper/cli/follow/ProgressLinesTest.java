package dev.loopkeeper.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressLinesTest {
    private final PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    private final ProgressLines lines = new ProgressLines(
            new Console(out, out, Map.of(), Optional.empty(), false, "loopkeeper", Optional.empty()),
            ZoneOffset.UTC,
            false,
            words -> "loopkeeper " + words);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run.queued  | {"by": "submit", "action": "continue"}                      | waits for a slot
            run.queued  | {"by": "operator", "action": "finish_loop"}                 | waits for a slot: finish_loop
            run.queued  | {"by": "timer", "action": "continue"}                       | waits for a slot: continue (by timer)
            run.resumed | {"by": "timer", "action": "continue"}                       | resumed: continue (by timer)
            """)
    void aQueuedRunIsNotPrintedAsContinuing(String type, String data, String line) throws JsonProcessingException {
        assertThat(printed(type, data)).containsExactly("12:00:00  " + line);
    }

    @Test
    void anOpenAskSaysWhatAnswersIt() throws JsonProcessingException {
        String data = """
                {"askId": "ask-4", "stepId": "work.dev.1", "question": "Which port?", "choices": ["8080"], "key": "k",
                 "until": "2026-11-20T13:00:00.000Z", "by": "agent work.dev.1"}
                """;
        assertThat(printed("ask.opened", data))
                .containsExactly(
                        "12:00:00    step work.dev.1 asks (ask-4): Which port? (8080)",
                        "    answer it with: loopkeeper answer r ask-4 TEXT");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dev   | 1 | dev is tried again at 12:00:30
            cheap | 0 | cheap takes over
            """)
    void aFallbackIsNotSaidToBeTriedAgain(String agent, int tries, String line) throws JsonProcessingException {
        String data = """
                {"stepId": "build.1.dev.1", "agent": "%s", "tries": %d, "dueAt": "2026-11-20T12:00:30.000Z", "reason": "error",
                 "error": {"message": "busy", "category": "provider", "kind": "overloaded", "isTransient": true}}
                """.formatted(agent, tries);
        assertThat(printed("step.retrying", data)).containsExactly("12:00:00    " + line + ": busy");
    }

    @Test
    void aLaunchSaysFromWhomItsAgentTakesOver() throws JsonProcessingException {
        String data = "{\"stepId\": \"b.f1.strong.3\", \"phase\": \"b\", \"item\": \"f1\", \"agent\": \"strong\","
                + " \"attempt\": 3, \"escalatedFrom\": \"dev\"}";
        assertThat(printed("step.started", data))
                .containsExactly("12:00:00    strong started b.f1.strong.3, takes over from dev");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            signal   | 0 | dev is launched again to write its signal
            session  | 0 | dev is launched again without its session
            overflow | 0 | dev is launched again in a fresh session
            overflow | 1 | dev takes over, in a fresh session
            """)
    void whatIsLaunchedAgainAtOnceSaysWhatFor(String reason, int fallback, String line) throws JsonProcessingException {
        String data = """
                {"stepId": "build.1.dev.1", "agent": "dev", "tries": 0, "dueAt": "2026-11-20T12:00:30.000Z",
                 "reason": "%s", "error": {"message": "why", "category": "unknown", "kind": "unclassified"},
                 "retry": {"agent": "dev", "attempt": 1, "tries": 0, "fallback": %d, "nudges": 0, "waiting": true}}
                """.formatted(reason, fallback);
        assertThat(printed("step.retrying", data)).containsExactly("12:00:00    " + line + ": why");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            true  | iteration 3 PROGRESS
            false | iteration 3 was interrupted by a question
            """)
    void anIterationThatAsksAPersonHasNoVerdict(boolean counts, String line) throws JsonProcessingException {
        String data = """
                {"phase": "build", "iteration": 3, "attempt": 1, "verdict": "PROGRESS", "outcome": "approved", "counts": %s,
                 "fingerprint": "f", "lookBack": 3, "optedOut": false}
                """.formatted(counts);
        assertThat(printed("iteration.finished", data)).containsExactly("12:00:00  " + line);
    }

    private List<String> iteration(String rating, String verdict) throws JsonProcessingException {
        List<String> all = new ArrayList<>();
        all.addAll(printed("iteration.started", "{\"phase\": \"b\", \"iteration\": 3, \"attempt\": 2}"));
        String step = "\"stepId\": \"b.3.judge.2\", \"phase\": \"b\", \"agent\": \"judge\", \"attempt\": 2";
        all.addAll(printed("step.started", "{" + step + ", \"iteration\": 3}"));
        all.addAll(printed("step.finished", """
                {%s, "consumed": true, "costUnknown": false, "slot": {"kind": "loop", "phase": "b", "iteration": 3, "index": 0},
                 "result": {"status": "completed", "exitCode": 0, "durationMs": 40, "sweptCount": 0, "costUsd": 0.4,
                  "signal": {%s, "keyConcern": "the header is lost"}},
                 "note": {"stepId": "b.3.judge.2", "agent": "judge", %s, "failed": false, "matched": false,
                  "optsOut": false, "discontinues": false, "fingerprint": "f", "outcome": "approved"}}
                """.formatted(step, rating, rating)));
        all.addAll(printed("iteration.finished", """
                {"phase": "b", "iteration": 3, "attempt": 2, "verdict": "%s", "outcome": "approved", "counts": true,
                 "fingerprint": "f", "lookBack": 3, "optedOut": false}
                """.formatted(verdict)));
        return all;
    }

    /** It had four lines, of which two said the same; 300 iterations had 1200. */
    @Test
    void anIterationOfOneStepHasTwoLines() throws JsonProcessingException {
        assertThat(iteration("\"determination\": \"PROGRESS\"", "PROGRESS"))
                .containsExactly(
                        "12:00:00  iteration 3 (attempt 2): judge started b.3.judge.2",
                        "12:00:00    judge exit 0 in 0.0s, $0.40, PROGRESS: the header is lost");
    }

    @Test
    void aVerdictInOtherWordsThanThoseOfTheStepNamesThem() throws JsonProcessingException {
        assertThat(iteration("\"verdict\": \"rejected\"", "STALLED"))
                .contains("12:00:00  iteration 3 STALLED (judge: rejected)");
    }

    /** The step, the pause and the end each said that the signal was missing. */
    @Test
    void aMissingSignalIsExplainedByThePauseOnly() throws JsonProcessingException {
        String finished = """
                {"stepId": "p.dev.1", "phase": "p", "agent": "dev", "attempt": 1, "consumed": false, "costUnknown": false,
                 "slot": {"kind": "task", "phase": "p", "index": 0},
                 "result": {"status": "error", "termination": "error_schema_validation", "exitCode": 0, "durationMs": 40,
                  "sweptCount": 0, "errorContext": {"message": "exit 0: the step left no signal file", "category": "unknown",
                  "kind": "unclassified", "isTransient": false}},
                 "note": {"stepId": "p.dev.1", "agent": "dev", "failed": false, "matched": false, "optsOut": false,
                  "discontinues": false, "fingerprint": "f", "outcome": "approved", "failure": {"kind": "signal-invalid",
                  "message": "s.json: the step left no signal file", "stepId": "p.dev.1", "detail": "absent"}}}
                """;
        assertThat(printed("step.finished", finished))
                .containsExactly("12:00:00    dev exit 0 in 0.0s, no valid signal");
    }

    @Test
    void aStepThatChangedProtectedFilesIsRejectedWithTheirNames() throws JsonProcessingException {
        String finished = """
                {"stepId": "p.1.dev.1", "agent": "dev", "attempt": 1, "consumed": true, "costUnknown": false,
                 "slot": {"kind": "loop", "phase": "p", "iteration": 1, "index": 0},
                 "result": {"status": "completed", "exitCode": 0, "durationMs": 40, "sweptCount": 0},
                 "note": {"stepId": "p.1.dev.1", "agent": "dev", "failed": false, "matched": false, "optsOut": false,
                  "discontinues": false, "fingerprint": "f", "outcome": "rejected", "failure": {"kind": "rejected",
                  "message": "the step changed protected files: tests/a", "files": ["tests/a"]}}}
                """;

        assertThat(printed("step.finished", finished))
                .containsExactly(
                        "12:00:00    dev exit 0 in 0.0s, rejected", "      the step changed protected files: tests/a");
    }

    private List<String> printed(String type, String data) throws JsonProcessingException {
        JsonNode event = Json.MAPPER
                .createObjectNode()
                .put("runId", "r")
                .put("type", type)
                .put("at", "2026-11-20T12:00:00Z")
                .set("data", Json.MAPPER.readTree(data));

        return lines.of(new Document<>(event, FeedMessage.class).view());
    }
}
