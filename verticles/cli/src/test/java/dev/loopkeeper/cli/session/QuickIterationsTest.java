package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Console;
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

class QuickIterationsTest {
    private final PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    private final List<String> printed = new ArrayList<>();
    private long nanos;
    private final QuickIterations lines = new QuickIterations(
            new ProgressLines(
                    new Console(out, out, Map.of(), Optional.empty(), false, "loopkeeper"), ZoneOffset.UTC, false),
            () -> nanos);

    private void happens(String type, String data) throws JsonProcessingException {
        ObjectNode event = Json.MAPPER
                .createObjectNode()
                .put("runId", "r")
                .put("type", type)
                .put("at", "2026-11-20T12:00:00Z");
        printed.addAll(lines.of(
                new Document<>(event.set("data", Json.MAPPER.readTree(data)), FeedMessage.class).view()));
    }

    private void begins(int iteration) throws JsonProcessingException {
        happens("iteration.started", "{\"iteration\": %d, \"attempt\": 1}".formatted(iteration));
        happens("step.started", "{\"stepId\": \"p.%d.dev.1\", \"agent\": \"dev\"}".formatted(iteration));
    }

    private void stepEnds(int iteration, String kind, String status) throws JsonProcessingException {
        happens("step.finished", """
                {"stepId": "p.%d.x.1", "agent": "x", "slot": {"kind": "%s"},
                 "result": {"status": "%s", "exitCode": 1, "durationMs": 3, "termination": "error_during_execution"}}
                """.formatted(iteration, kind, status));
    }

    private void iteration(int number) throws JsonProcessingException {
        begins(number);
        stepEnds(number, "loop", "completed");
        stepEnds(number, "check", "error");
        happens("iteration.finished", "{\"iteration\": %d, \"verdict\": \"PROGRESS\"}".formatted(number));
    }

    @Test
    void threeHundredQuickIterationsAreLittleMoreThanThreeHundredLines() throws Exception {
        for (int number = 1; number <= 300; number++) {
            iteration(number);
        }
        assertThat(printed).hasSize(290 + QuickIterations.FULL * 5);
        assertThat(printed.subList(0, 5))
                .containsExactly(
                        "12:00:00  iteration 1",
                        "12:00:00    dev started p.1.dev.1",
                        "12:00:00    x exit 1 in 0.0s",
                        "12:00:00    x exit 1 in 0.0s, not done yet",
                        "12:00:00  iteration 1 PROGRESS");
        assertThat(printed.get(printed.size() - 1)).isEqualTo("12:00:00  iteration 300 PROGRESS");
    }

    @Test
    void aSlowIterationIsPrintedInFullWithinSeconds() throws Exception {
        for (int number = 1; number <= 20; number++) {
            iteration(number);
        }
        printed.clear();
        begins(21);
        nanos += QuickIterations.QUICK.toNanos() - 1;
        assertThat(lines.due()).isEmpty();
        nanos++;
        assertThat(lines.due()).containsExactly("12:00:00  iteration 21", "12:00:00    dev started p.21.dev.1");
        assertThat(lines.due()).isEmpty();
        stepEnds(21, "loop", "completed");
        assertThat(printed).containsExactly("12:00:00    x exit 1 in 0.0s");
    }

    @Test
    void aFailedAgentIsPrintedWithAllBefore() throws Exception {
        for (int number = 1; number <= 20; number++) {
            iteration(number);
        }
        printed.clear();
        begins(21);
        stepEnds(21, "loop", "error");
        assertThat(printed)
                .containsExactly(
                        "12:00:00  iteration 21",
                        "12:00:00    dev started p.21.dev.1",
                        "12:00:00    x exit 1 in 0.0s, failed");
    }
}
