package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.OwnRetry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Agents that try a request again on their own say so, each in its own words. */
class OwnRetriesTest {
    private static final String API_RETRY = """
            {"type":"system","subtype":"api_retry","attempt":2,"max_retries":10,"retry_delay_ms":1200,\
            "error_status":529,"error":"overloaded","session_id":"s"}
            """;
    private static final String OFFLINE = "{\"type\":\"error\",\"message\":\"Reconnecting... waiting for network\"}\n";

    private static AgentOutputReader reader(OutputDialect dialect, String stdout, String stderr) {
        AgentOutputReader reader = AgentOutput.reader(dialect, ErrorRules.builtIn());
        byte[] out = stdout.getBytes(StandardCharsets.UTF_8);
        byte[] err = stderr.getBytes(StandardCharsets.UTF_8);
        reader.stdout(out, 0, out.length);
        reader.stderr(err, 0, err.length);
        return reader;
    }

    @Test
    void claudeCodeReportsCauseCountAndDelay() {
        OwnRetries retries =
                reader(OutputDialect.CLAUDE_CODE, API_RETRY + API_RETRY, "").retries();

        assertThat(retries.count()).isEqualTo(2);
        assertThat(retries.last())
                .contains(new OwnRetry("529 overloaded", OptionalInt.of(2), OptionalInt.of(10), OptionalLong.of(1200)));
    }

    @Test
    void anAnswerOvercomesThem() {
        String answer = "{\"type\":\"assistant\",\"message\":{\"content\":[]}}\n";

        assertThat(reader(OutputDialect.CLAUDE_CODE, API_RETRY + answer, "").retries())
                .isEqualTo(new OwnRetries(1, Optional.empty()));
    }

    @Test
    void workOfCodexOvercomesThemButAWarningDoesNot() {
        String item = "{\"type\":\"item.completed\",\"item\":{\"id\":\"i\",\"type\":\"%s\"}}\n";

        assertThat(reader(OutputDialect.CODEX, OFFLINE + item.formatted("command_execution"), "")
                        .retries())
                .isEqualTo(new OwnRetries(1, Optional.empty()));
        assertThat(reader(OutputDialect.CODEX, OFFLINE + item.formatted("error"), "")
                        .retries()
                        .last())
                .isPresent();
    }

    @Test
    void lastWordsDecideOverTriesThatWorkOvercame() {
        String output = OFFLINE + "{\"type\":\"item.completed\",\"item\":{\"type\":\"command_execution\"}}\n";

        AgentReport report = reader(OutputDialect.CODEX, output, "Error: No space left on device (os error 28)\n")
                .finish(Exits.exited(1), Instant.EPOCH, ZoneOffset.UTC);

        assertThat(report.summary().error().map(ErrorContext::kind)).contains("infrastructure");
    }

    @Test
    void anAnswerOfGeminiOvercomesThem() {
        AgentOutputReader reader = reader(OutputDialect.GEMINI, "", "Attempt 1 failed with status 429\n");
        byte[] answer =
                "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"hi\"}\n".getBytes(StandardCharsets.UTF_8);
        reader.stdout(answer, 0, answer.length);

        assertThat(reader.retries()).isEqualTo(new OwnRetries(1, Optional.empty()));
    }

    @Test
    void codexReportsThemAsErrors() {
        String output = "{\"type\":\"error\",\"message\":\"Reconnecting... 2/5 (unexpected status 503)\"}\n";

        assertThat(reader(OutputDialect.CODEX, output, "").retries().last())
                .contains(new OwnRetry(
                        "unexpected status 503", OptionalInt.of(2), OptionalInt.of(5), OptionalLong.empty()));
        assertThat(reader(OutputDialect.CODEX, OFFLINE, "")
                        .retries()
                        .last()
                        .orElseThrow()
                        .cause())
                .isEqualTo("waiting for network");
    }

    @Test
    void geminiReportsThemOnItsStandardError() {
        String words = "Attempt 3 failed with status 429. Retrying with backoff...\n";

        assertThat(reader(OutputDialect.GEMINI, "", words).retries().last())
                .contains(new OwnRetry(
                        "429 Retrying with backoff...", OptionalInt.of(3), OptionalInt.empty(), OptionalLong.empty()));
    }

    @Test
    void anIdleAgentHasTheCauseOfItsOwnRetriesAsItsError() {
        AgentReport report = reader(OutputDialect.CODEX, "{\"type\":\"turn.started\"}\n" + OFFLINE, "")
                .finish(Exits.endedByLoopkeeper(ErrorKind.IDLE, OptionalInt.of(143)), Instant.EPOCH, ZoneOffset.UTC);

        ErrorContext error = report.summary().error().orElseThrow();
        assertThat(error.category()).isEqualTo(ErrorCategory.NETWORK);
        assertThat(error.isTransient()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            CODEX       | {"type":"error","message":"Reconnecting... 1/5"}                      | true
            CODEX       | {"type":"error","message":"Reconnecting... waiting for network"}      | true
            CODEX       | {"type":"item.completed","item":{"text":"Reconnecting... 1/5"}}       | false
            CODEX       | {"type":"turn.failed","error":{"message":"Reconnecting... 1/5"}}      | false
            CLAUDE_CODE | {"type":"system","subtype":"api_retry","attempt":1}                   | true
            CLAUDE_CODE | {"type":"assistant","message":"api_retry"}                            | false
            GEMINI      | Attempt 2 failed with status 503. Retrying with backoff...            | true
            GEMINI      | Attempt to fix: failed                                                | false
            TEXT        | Attempt 2 failed with status 503. Retrying with backoff...            | false
            CODEX       | {"type":"error","message":"Reconnecting... {{                         | false
            """)
    void aLineThatOnlyReportsAnotherTryIsNoProgress(OutputDialect dialect, String line, boolean only) {
        assertThat(OwnRetryWords.isOnlyThat(dialect, line)).isEqualTo(only);
    }
}
