package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.json.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodesTest {
    @ParameterizedTest
    @CsvSource({
        "completed, stop, success, 0",
        "completed, submitted, success, 0",
        "failed, error_gate_failed, fatal, 1",
        "failed, error_licence_expired, fatal, 1",
        "stopped, error_max_turns, capacity, 3",
        "stopped, error_max_budget_usd, capacity, 3",
        "stopped, error_own_limit, capacity, 3",
        "paused, , , 4",
        "stopped, error_crashed, retryable, 5",
        "stopped, error_interrupted, retryable, 5",
        "stopped, error_operator_stop, retryable, 6",
    })
    void aRunsEndingDecidesTheExitCode(String status, String subtype, String category, int exitCode) {
        ObjectNode run = Json.MAPPER.createObjectNode().put("status", status);
        run.putObject("termination").put("subtype", subtype).put("category", category);
        assertThat(ExitCodes.of(ViewJson.run(run))).isEqualTo(exitCode);
    }
}
