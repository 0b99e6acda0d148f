package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a result record of Claude Code comes to: each fact of the field notes is a row. */
class ClaudeEndingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "success; false; -; completed; All good; stop; -",
                "success; false; -; -; Mentions HTTP 401 and a rate limit that was exceeded; stop; -",
                "success; false; -; hook_stopped; -; error_halted; -",
                "success; true; -; stop_hook_prevented; blocked by a hook; error_halted; -",
                "success; true; 401; api_error; Failed to authenticate; error_provider_auth; auth",
                "success; true; 403; api_error; Request not allowed; error_provider_auth; auth",
                "success; true; -; api_error; Not logged in · Please run /login; error_provider_auth; auth",
                "success; true; 404; model_error; There is an issue with the model; error_provider_auth; model-missing",
                "success; true; 402; api_error; Payment; error_provider_auth; billing",
                "success; true; 400; api_error; Your credit balance is too low; error_provider_auth; billing",
                "success; true; 429; api_error; Slow down; error_provider_unavailable; rate-limit",
                "success; true; 429; api_error; You've hit your session limit; error_provider_unavailable; usage-window",
                "success; true; -; blocking_limit; You've hit your session limit; error_provider_unavailable; usage-window",
                "success; true; 500; api_error; oops; error_provider_unavailable; server",
                "success; true; 502; api_error; oops; error_provider_unavailable; server",
                "success; true; 503; api_error; oops; error_provider_unavailable; server",
                "success; true; 504; api_error; oops; error_provider_unavailable; server",
                "success; true; 529; api_error; Overloaded; error_provider_unavailable; overloaded",
                "success; true; 400; api_error; prompt is too long: 213462 tokens > 200000; error_prompt_too_long; context-overflow",
                "success; true; -; prompt_too_long; -; error_prompt_too_long; context-overflow",
                "success; true; -; rapid_refill_breaker; -; error_prompt_too_long; context-overflow",
                "success; true; 400; api_error; messages: at least one; error_during_execution; bad-request",
                "success; true; -; image_error; Could not process image; error_during_execution; unclassified",
                "success; true; -; malformed_tool_use_exhausted; -; error_during_execution; unclassified",
                "error_max_turns; true; -; max_turns; -; error_max_turns; -",
                "error_max_turns; false; -; -; -; error_max_turns; -",
                "error_max_budget_usd; true; -; budget_exhausted; -; error_max_budget_usd; -",
                "error_max_structured_output_retries; true; -; structured_output_retry_exhausted; -; "
                        + "error_max_structured_output_retries; -",
                "error_during_execution; true; -; aborted_tools; -; error_during_execution; unclassified",
                "error_during_execution; true; 529; api_error; -; error_during_execution; overloaded",
                "error_of_next_year; true; -; -; -; error_during_execution; unclassified",
                "error_of_next_year; false; -; completed; -; error_during_execution; unclassified",
                "-; false; -; completed; done; error_during_execution; unclassified"
            })
    void comesToWhatTheNotesSay(
            String subtype,
            boolean isError,
            String status,
            String reason,
            String text,
            String termination,
            String kind) {
        ObjectNode result = Json.MAPPER.createObjectNode().put("type", "result");
        put(result, "subtype", subtype);
        result.put("is_error", isError);
        put(result, "terminal_reason", reason);
        put(result, "result", text);
        if (!status.equals("-")) {
            result.put("api_error_status", Integer.parseInt(status));
        }
        for (int exitCode : new int[] {0, 1}) {
            AgentReport report =
                    Transcript.printed(OutputDialect.CLAUDE_CODE, result + "\n").read(Exits.exited(exitCode));
            assertThat(report.summary().termination()).isEqualTo(termination);
            assertThat(report.summary().error().map(ErrorContext::kind).orElse("-"))
                    .isEqualTo(kind);
        }
    }

    private static void put(ObjectNode result, String name, String value) {
        if (!value.equals("-")) {
            result.put(name, value);
        }
    }
}
