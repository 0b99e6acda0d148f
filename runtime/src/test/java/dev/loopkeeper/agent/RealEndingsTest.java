package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorContext;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Last lines of Claude Code 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0 and opencode 1.18.33 against a failing provider. */
class RealEndingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "173; rate-limit; 2000; [API Error: Resource has been exhausted (e.g. check quota).\\nSuggested retry after 2s.]\\nPlease wait and try again later.",
                "244; server; -1; [API Error: {\\\"error\\\":{\\\"code\\\":500,\\\"message\\\":\\\"An internal error has occurred.\\\",\\\"status\\\":\\\"INTERNAL\\\"}}]",
                "147; billing; -1; [API Error: {\\\"error\\\":{\\\"code\\\":403,\\\"message\\\":\\\"This API method requires billing to be enabled.\\\",\\\"status\\\":\\\"PERMISSION_DENIED\\\",\\\"details\\\":[{\\\"reason\\\":\\\"BILLING_DISABLED\\\"}]}}]",
                "1; model-missing; -1; [API Error: models/gemini-mock is not found for API version v1beta, or is not supported for generateContent.]",
                "173; usage-window; -1; [API Error: You have exhausted your daily quota on this model.]",
                "247; server; -1; [API Error: it did not work]",
                "144; bad-request; -1; [API Error: it did not work]",
                "157; context-overflow; -1; [API Error: it did not work]",
                "145; auth; -1; [API Error: it did not work]"
            })
    void geminiReportsTheStatusByItsExitCode(int exitCode, String kind, long delay, String message) {
        AgentReport report = gemini(message).read(Exits.exited(exitCode));
        assertThat(kind(report)).isEqualTo(kind);
        assertThat(report.summary().error().orElseThrow().retryAfterMs().orElse(-1))
                .isEqualTo(delay);
    }

    @Test
    void geminiReportsOnStderrWhatItsRecordDoesNot() {
        AgentReport report = gemini("[API Error: it did not work]")
                .complaining(
                        "Attempt 1 failed: {\"status\":503}\n_ApiError: got status: 429 Too Many Requests\n    at x (y.js:1)\n")
                .read(Exits.exited(1));
        assertThat(kind(report)).isEqualTo("rate-limit");
        assertThat(report.summary().error().orElseThrow().message()).isEqualTo("[API Error: it did not work]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "overloaded; We\u2019re currently experiencing high demand, which may cause temporary errors.",
                "billing; Quota exceeded. Check your plan and billing details.",
                "model-missing; stream disconnected before completion: The model `gpt-0` does not exist or you do not have access to it.",
                "rate-limit; exceeded retry limit, last status: 429 Too Many Requests",
                "auth; unexpected status 401 Unauthorized: Incorrect API key provided, url: http://127.0.0.1:1/v1/responses"
            })
    void codexSaysWhatFailedInItsLastTurn(String kind, String message) {
        AgentReport report = Transcript.printed(
                        OutputDialect.CODEX,
                        "{\"type\":\"turn.started\"}\n{\"type\":\"turn.failed\",\"error\":{\"message\":\"" + message
                                + "\"}}\n")
                .read(Exits.exited(1));
        assertThat(kind(report)).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Cannot connect to API: The socket connection was closed unexpectedly. For more information",
                "Cannot connect to API: Unable to connect. Is the computer able to access the url?"
            })
    void opencodeMeansTheNetworkByAnErrorWithoutAStatus(String message) {
        AgentReport report = opencode("\"message\":\"" + message + "\",\"isRetryable\":true");
        assertThat(kind(report)).isEqualTo("network");
        assertThat(report.summary().error().orElseThrow().isTransient()).isTrue();
    }

    @Test
    void opencodePassesOnWhatTheProviderAnswered() {
        AgentReport report = opencode("\"message\":\"Forbidden\",\"statusCode\":403,\"isRetryable\":false,"
                + "\"responseBody\":\"{\\\"error\\\":{\\\"code\\\":\\\"insufficient_quota\\\"}}\"");
        assertThat(kind(report)).isEqualTo("billing");
        assertThat(report.summary().error().orElseThrow().message()).isEqualTo("Forbidden");
    }

    @Test
    void claudeNamesThePlansLimitWithItsReset() {
        AgentReport report = claude(
                "",
                "\"api_error_status\":429,\"api_error\":\"usage_limit_reached\",\"result\":\"You've hit your limit\","
                        + "\"api_error_params\":{\"rate_limit_info\":{\"status\":\"rejected\",\"resetsAt\":1795172400}}");
        assertThat(kind(report)).isEqualTo("usage-window");
        assertThat(report.summary().resumeAt().map(Object::toString)).contains("2026-11-20T11:00:00Z");
    }

    @Test
    void takesClaudesOwnLastDelayWhenNoOtherIsReported() {
        String retry = "{\"type\":\"system\",\"subtype\":\"api_retry\",\"attempt\":10,\"max_retries\":10,"
                + "\"retry_delay_ms\":38000,\"error_status\":529,\"error\":\"overloaded\"}\n";
        AgentReport report = claude(retry, "\"api_error_status\":529,\"result\":\"API Error: 529 Overloaded\"");
        assertThat(report.summary().error().orElseThrow().statedDelay()).contains(Duration.ofSeconds(38));

        AgentReport reported = claude(retry, "\"api_error_status\":429,\"result\":\"Please try again in 5s\"");
        assertThat(reported.summary().error().orElseThrow().statedDelay()).contains(Duration.ofSeconds(5));

        String answered = "{\"type\":\"assistant\",\"message\":{\"id\":\"m\"}}\n";
        AgentReport later = claude(retry + answered, "\"api_error_status\":500,\"result\":\"API Error\"");
        assertThat(later.summary().error().orElseThrow().statedDelay()).isEmpty();
    }

    @Test
    void theLastReportOnStderrCountsNotTheFirst() {
        AgentReport report =
                Transcript.printed(OutputDialect.TEXT, "").complaining("""
                        Error: 429 Too Many Requests, retrying
                          at a
                        \u001B[31mError: ENOSPC: no space left on device, write\u001B[0m
                            at writeSync (node:fs:1)

                        Node.js v22.1.0
                        """).read(Exits.exited(1));
        assertThat(kind(report)).isEqualTo("infrastructure");
        assertThat(report.summary().error().orElseThrow().message())
                .isEqualTo("Error: ENOSPC: no space left on device, write\n    at writeSync (node:fs:1)");
    }

    @Test
    void theEndOfALongStderrIsKeptNotItsBeginning() {
        AgentReport report = Transcript.printed(OutputDialect.CODEX, "")
                .complaining("x".repeat(300) + "\n" + ("y".repeat(300) + "\n").repeat(15) + "it is over\n")
                .read(Exits.exited(1));
        assertThat(report.summary().error().orElseThrow().message())
                .endsWith("it is over")
                .hasSizeLessThanOrEqualTo(2000);
        assertThat(report.summary().diagnostic().orElseThrow()).endsWith("it is over");
    }

    private static Transcript gemini(String message) {
        return Transcript.printed(
                OutputDialect.GEMINI,
                "{\"type\":\"result\",\"timestamp\":\"2026-11-20T09:59:59Z\",\"status\":\"error\",\"error\":{\"type\":\"unknown\",\"message\":\""
                        + message + "\"},\"stats\":{\"total_tokens\":0,\"models\":{}}}\n");
    }

    private static AgentReport opencode(String data) {
        return Transcript.printed(
                        OutputDialect.OPENCODE,
                        "{\"type\":\"error\",\"sessionID\":\"s\",\"error\":{\"name\":\"APIError\",\"data\":{" + data
                                + "}}}\n")
                .read(Exits.exited(1));
    }

    private static AgentReport claude(String before, String fields) {
        return Transcript.printed(
                        OutputDialect.CLAUDE_CODE,
                        before + "{\"is_error\":true,\"subtype\":\"success\"," + fields
                                + ",\"terminal_reason\":\"api_error\",\"type\":\"result\"}\n")
                .read(Exits.exited(1));
    }

    private static String kind(AgentReport report) {
        return report.summary().error().map(ErrorContext::kind).orElse("-");
    }
}
