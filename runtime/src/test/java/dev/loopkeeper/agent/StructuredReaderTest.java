package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StructuredReaderTest {
    private static final String RESULT =
            "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"session_id\":\"s\",\"num_turns\":1}\n";

    static Iterable<OutputDialect> structured() {
        return Transcript.structured();
    }

    @ParameterizedTest
    @MethodSource("structured")
    void takesSilenceForNoSuccess(OutputDialect dialect) {
        AgentReport report = Transcript.printed(dialect, "").read(Exits.exited(0));
        assertThat(report.summary().termination()).isEqualTo("error_schema_validation");
        assertThat(report.summary().error()).isEmpty();
        assertThat(report.summary().diagnostic()).contains("exit 0 without a final record");
    }

    @ParameterizedTest
    @MethodSource("structured")
    void doesNotBelieveAnExitCodeOfZeroAfterProse(OutputDialect dialect) {
        AgentReport report = Transcript.printed(dialect, "All done, tests pass!\n{\n}\n[1,2]\n{}\n")
                .read(Exits.exited(0));
        assertThat(report.summary().termination()).isEqualTo("error_schema_validation");
    }

    @ParameterizedTest
    @CsvSource({
        "137, error_crashed, crashed, UNKNOWN",
        "143, error_crashed, crashed, UNKNOWN",
        "139, error_crashed, crashed, UNKNOWN",
        "1, error_during_execution, unclassified, UNKNOWN",
        "2, error_during_execution, unclassified, UNKNOWN",
        "126, error_during_execution, session-failed, SESSION_FAILED",
        "127, error_during_execution, session-failed, SESSION_FAILED"
    })
    void readsTheExitCodeWhenThereIsNoRecord(int code, String termination, String kind, ErrorCategory category) {
        for (OutputDialect dialect : structured()) {
            AgentReport report = Transcript.printed(dialect, "").read(Exits.exited(code));
            assertThat(report.summary().termination()).isEqualTo(termination);
            ErrorContext error = report.summary().error().orElseThrow();
            assertThat(error.kind()).isEqualTo(kind);
            assertThat(error.category()).isEqualTo(category);
            assertThat(error.isTransient()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ABORTED, error_interrupted",
        "TIMEOUT, error_during_execution",
        "IDLE, error_during_execution",
        "SESSION_FAILED, error_during_execution"
    })
    void namesOurOwnReasonForAnEndThatWeBrought(ErrorKind reason, String termination) {
        AgentReport report = Transcript.printed(OutputDialect.CODEX, "{\"type\":\"turn.started\"}\n")
                .read(Exits.endedByLoopkeeper(reason, OptionalInt.of(143)));
        assertThat(report.summary().termination()).isEqualTo(termination);
        assertThat(report.summary().error().orElseThrow().category()).isEqualTo(reason.category());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b]0;t\u0007%s", "\u001b[32m%s\u001b[0m", "[2026-11-26 12:00:01] %s", "{progress} 50%% %s",
                        "50%%\r%s",
                "\u001b]0;never closed %s", "\uFEFF%s", "Loaded {a}, {b} \u001b[1m%s", "> %s\u001b[K", "[1/3] %s   "
            })
    void readsARecordWhateverStandsBeforeItInItsLine(String line) {
        AgentReport report = claude(line.formatted(RESULT.strip()) + "\n").read(Exits.exited(0));

        assertThat(report.summary().termination()).isEqualTo("stop");
        assertThat(report.sessionId()).contains("s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "it prints %s when it is done",
                "say: %s and then go on",
                "x {\"type\":\"banana\"}",
                "quoted: \"%s\"",
                "x {\"type\": {\"a\":[[[[[[[["
            })
    void ignoresARecordWithinProse(String line) {
        AgentReport report = claude(line.formatted(RESULT.strip()) + "\n").read(Exits.exited(0));

        assertThat(report.summary().termination()).isEqualTo("error_schema_validation");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Loaded cached credentials.%s\n",
                "[INFO] {cached} {\"a\": 1}.%s\n",
                "\0\0\0%s\n",
                "\uFEFF%s\n",
                "\u001b[32m\uFEFF%s\u001b[0m\n",
                "\0Loaded.\u001b[0m \uFEFF%s",
                "50%%\r%s\n",
                "[config] {\n%s\n",
                "%1$s%1$s\n",
                "%1$s\nand again %1$s\n",
                "one %s, bye\n",
                "Error: {\n  code: 'X',\n}\n%s\n",
                "{\n  \"error\": {}\n}Loaded.%s"
            })
    void readsADocumentWhateverStandsAroundIt(String output) {
        String document =
                "{\n  \"session_id\": \"s\",\n  \"response\": \"\",\n  \"stats\": {\n    \"models\": {}\n  }\n}";
        for (String printed : List.of(document, document.replace("\"response\"", "\u001b[33m\"response\"\u001b[0m"))) {
            AgentReport report = Transcript.printed(OutputDialect.GEMINI, output.formatted(printed))
                    .read(Exits.exited(0));

            assertThat(report.summary().termination()).isEqualTo("stop");
            assertThat(report.sessionId()).contains("s");
        }
        AgentReport inOneLine = Transcript.printed(OutputDialect.GEMINI, "Loaded.{\"response\":\"\"}")
                .read(Exits.exited(0));
        assertThat(inOneLine.summary().termination()).isEqualTo("stop");
    }

    @Test
    void aBlockOfCodeIsNoDocumentAndHidesNoRecord() {
        String code = "function work() {\nreturn 1;\n[12:00] " + RESULT;
        assertThat(claude(code).read(Exits.exited(0)).summary().termination()).isEqualTo("stop");
        AgentReport thrown =
                claude("Error: connect {\n  code: 'ECONNREFUSED',\n}\n").read(Exits.exited(1));
        assertThat(kind(thrown)).isEqualTo("network");
    }

    @ParameterizedTest
    @MethodSource("structured")
    void anErrorOfAKilledProcessHasItsLastWords(OutputDialect dialect) {
        AgentReport killed = Transcript.printed(dialect, "")
                .complaining("first\nabout to die\n")
                .read(Exits.exited(137));
        assertThat(killed.summary().error().orElseThrow().message())
                .isEqualTo("exit 137: killed by SIGKILL, not sent by Loopkeeper: first\nabout to die");
        assertThat(killed.summary().error().orElseThrow().kind()).isEqualTo("crashed");

        AgentReport spoke = Transcript.printed(dialect, "on stdout\n").read(Exits.exited(139));
        assertThat(spoke.summary().error().orElseThrow().message())
                .isEqualTo("exit 139: killed by SIGSEGV, not sent by Loopkeeper: on stdout");
    }

    @Test
    void keepsASuccessThatWasReportedBeforeWeEndedTheStep() {
        var stopped = Exits.endedByLoopkeeper(ErrorKind.ABORTED, OptionalInt.of(143));
        assertThat(claude(RESULT).read(stopped).summary().termination()).isEqualTo("stop");
        String failed = RESULT.replace("\"is_error\":false", "\"is_error\":true");
        assertThat(claude(failed).read(stopped).summary().termination()).isEqualTo("error_interrupted");
    }

    @Test
    void readsARecordBehindAnotherThatDoesNotMatter() {
        String glued = "{\"type\":\"user\",\"message\":{}}" + RESULT;
        assertThat(claude(glued).read(Exits.exited(0)).summary().termination()).isEqualTo("stop");
    }

    @Test
    void reportsAProcessThatVanishedAsCrashed() {
        assertThat(claude("").read(Exits.vanished()).summary().termination()).isEqualTo("error_crashed");
    }

    @Test
    void namesTheRemedyOfAFailedLaunch() {
        AgentReport report = claude("").read(Exits.launchFailed("claude: not found; install it or set PATH"));
        assertThat(report.summary().error().orElseThrow().kind()).isEqualTo("session-failed");
        assertThat(report.summary().diagnostic()).contains("claude: not found; install it or set PATH");
    }

    @Test
    void classifiesTheLastWordsOfAnAgentThatLeftNoRecord() {
        AgentReport spoken = claude("Invalid API key · Please run /login\n").read(Exits.exited(1));
        assertThat(spoken.summary().termination()).isEqualTo("error_provider_auth");
        AgentReport cried = claude("{\"type\":\"system\"}\n")
                .complaining("warn: slow\nTypeError: fetch failed\n")
                .read(Exits.exited(1));
        assertThat(cried.summary().error().orElseThrow().category()).isEqualTo(ErrorCategory.NETWORK);
    }

    @Test
    void reportsTheLastRetryOfAnAgentAsItsError() {
        String retry =
                "{\"type\":\"system\",\"subtype\":\"api_retry\",\"error_status\":529,\"error\":\"overloaded\"}\n";
        String message = "{\"type\":\"assistant\",\"message\":{\"id\":\"m\"}}\n";
        assertThat(kind(claude(retry).read(Exits.exited(1)))).isEqualTo("overloaded");
        assertThat(kind(claude(retry + message).read(Exits.exited(1)))).isEqualTo("unclassified");
    }

    @Test
    void readsARecordInWhateverItIsWrappedIn() {
        String nested = "[".repeat(60_000) + "]".repeat(60_000);
        String odd = "{\"new\":" + nested + ",\"number\":1e99999,\"subtype\":\"success\",\"is_error\":false,"
                + "\"type\":\"result\",\"num_turns\":\"three\",\"usage\":[1],\"total_cost_usd\":\"free\"}";
        AgentReport report = claude("\uFEFF\n\n}{\nnoise\n  " + odd).read(Exits.exited(0));
        assertThat(report.summary().termination()).isEqualTo("stop");
        assertThat(report.summary().usage().costUsd()).isEmpty();
        assertThat(report.summary().usage().turns()).isEmpty();
    }

    @Test
    void readsARecordWithBytesThatAreNoText() {
        byte[] bytes = RESULT.replace("\"session_id\":\"s\"", "\"result\":\"~~\",\"session_id\":\"s\"")
                .getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = bytes[i] == '~' ? (byte) 0xFF : bytes[i];
        }
        var transcript = new Transcript(OutputDialect.CLAUDE_CODE, bytes, new byte[0]);
        assertThat(transcript.read(Exits.exited(0)).sessionId()).contains("s");
    }

    @Test
    void countsOnceWhatStandsBeforeABreak() {
        String step = "{\"type\":\"step_finish\",\"part\":{\"reason\":\"stop\",\"tokens\":{\"input\":3}}}";
        byte[] bytes = (step + "~{").getBytes(StandardCharsets.US_ASCII);
        bytes[bytes.length - 2] = (byte) 0xFF;
        AgentReport report = new Transcript(OutputDialect.OPENCODE, bytes, new byte[0]).read(Exits.exited(0));
        assertThat(report.summary().usage().inputTokens()).hasValue(3);
        assertThat(report.summary().termination()).isEqualTo("stop");
    }

    @Test
    void leavesOutADeliverableThatIsTooDeepToBeWritten() {
        String deep = "[".repeat(300) + "]".repeat(300);
        String result = RESULT.replace("\"num_turns\":1", "\"structured_output\":" + deep);
        assertThat(claude(result).read(Exits.exited(0)).summary().termination()).isEqualTo("stop");
        String flat = RESULT.replace("\"num_turns\":1", "\"structured_output\":[[12345678901234567890, 0.5, null]]");
        AgentReport report = claude(flat).read(Exits.exited(0));
        assertThat(report.summary().termination()).isEqualTo("submitted");
        assertThat(report.summary().deliverable().map(Object::toString)).contains("[[12345678901234567890,0.5,null]]");
    }

    @Test
    void readsOnAfterACutLineAndAnUnfinishedDocument() {
        String cut = "{\n  \"type\": \"x\",\n{\"type\":\"assistant\",\"mess\n";
        assertThat(claude(cut + RESULT).read(Exits.exited(0)).summary().termination())
                .isEqualTo("stop");
    }

    @Test
    void takesTheLastOfSeveralRecords() {
        String failed = RESULT.replace("\"success\"", "\"error_max_turns\"").replace("false", "true");
        assertThat(claude(RESULT + failed).read(Exits.exited(0)).summary().termination())
                .isEqualTo("error_max_turns");
        assertThat(claude(failed + RESULT).read(Exits.exited(1)).summary().termination())
                .isEqualTo("stop");
    }

    @Test
    void waitsForTheEndOfATurnThatBeganAfterARecord() {
        String turns = """
                {"type":"turn.started"}
                {"type":"turn.completed","usage":{"input_tokens":5}}
                {"type":"turn.started"}
                """;
        AgentReport report = Transcript.printed(OutputDialect.CODEX, turns).read(Exits.exited(0));
        assertThat(report.summary().termination()).isEqualTo("error_schema_validation");
        assertThat(report.summary().usage().inputTokens()).hasValue(5);
        assertThat(report.summary().usage().turns()).hasValue(2);
    }

    @Test
    void reportsPermissionsThatOpencodeRejected() {
        String done = "{\"type\":\"done\",\"reason\":\"idle\",\"rejected\":[\"bash: make\"]}\n";
        AgentReport report = Transcript.printed(OutputDialect.OPENCODE, done).read(Exits.exited(0));
        assertThat(report.summary().termination()).isEqualTo("stop");
        assertThat(report.summary().diagnostic()).contains("permissions rejected: [\"bash: make\"]");
    }

    @Test
    void cutsNamesThatAreNone() {
        String wild = "x".repeat(100_000);
        String failed = RESULT.replace("false", "true,\"terminal_reason\":\"" + wild + "\"")
                .replace("\"s\"", "\"" + wild + "\"");
        AgentReport report = claude(failed).read(Exits.exited(1));
        assertThat(report.sessionId().orElseThrow()).hasSize(200);
        assertThat(report.summary().error().orElseThrow().stopReason().orElseThrow())
                .hasSize(200);
    }

    @ParameterizedTest
    @CsvSource({
        "1795600000, 2026-11-25T09:46:40Z",
        "1795600000000, 2026-11-25T09:46:40Z",
        "4102444800, -",
        "9223372036854775807, -"
    })
    void readsWhenALimitIsResetAndBelievesNoDistantOne(String resetsAt, String back) {
        String event = "{\"type\":\"rate_limit_event\",\"rate_limit_info\":{\"status\":\"rejected\",\"resetsAt\":"
                + resetsAt + "}}\n";
        String failed = RESULT.replace("false", "true,\"api_error_status\":429,\"result\":\"limit\"");
        AgentReport report = claude(event + failed).read(Exits.exited(1));
        assertThat(kind(report)).isEqualTo("usage-window");
        assertThat(report.summary().resumeAt().map(Object::toString).orElse("-"))
                .isEqualTo(back);
    }

    @Test
    void prefersTheTextToAResetTimeOfZero() {
        String event = "{\"type\":\"rate_limit_event\",\"rate_limit_info\":{\"status\":\"rejected\",\"resetsAt\":0}}\n";
        String failed = RESULT.replace(
                "false", "true,\"api_error_status\":429,\"result\":\"You've hit your limit · resets 3pm (UTC)\"");
        AgentReport report = claude(event + failed).read(Exits.exited(1));
        assertThat(report.summary().resumeAt().orElseThrow().toString()).endsWith("T15:00:00Z");
    }

    @Test
    void takesTheSumOfAThreadForWhatItIs() {
        String turn = "{\"type\":\"turn.started\"}\n{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":%d}}\n";
        AgentReport report = Transcript.printed(OutputDialect.CODEX, turn.formatted(100) + turn.formatted(250))
                .read(Exits.exited(0));
        assertThat(report.summary().usage().inputTokens()).hasValue(250);
        assertThat(report.summary().usage().turns()).hasValue(2);
    }

    @ParameterizedTest
    @CsvSource({
        "41, error_provider_auth",
        "42, error_during_execution",
        "53, error_max_turns",
        "44, error_during_execution",
        "52, error_during_execution",
        "130, error_interrupted",
        "173, error_provider_unavailable",
        "145, error_provider_auth",
        "137, error_crashed"
    })
    void knowsTheExitCodesOfGemini(int code, String termination) {
        Transcript silent = Transcript.printed(OutputDialect.GEMINI, "").complaining("it ended\n");
        assertThat(silent.read(Exits.exited(code)).summary().termination()).isEqualTo(termination);
    }

    private static Transcript claude(String stdout) {
        return Transcript.printed(OutputDialect.CLAUDE_CODE, stdout);
    }

    private static String kind(AgentReport report) {
        return report.summary().error().map(ErrorContext::kind).orElse("-");
    }
}
