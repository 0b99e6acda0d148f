package dev.loopkeeper.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.contract.process.StepLaunched;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.StoredEvent;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RunMetricsTest {
    private static final Instant START = Instant.parse("2026-11-20T15:12:33Z");

    private final Meters meters = new Meters();
    private long nanos;
    private final RunMetrics metrics = new RunMetrics(meters, () -> nanos);

    private void hear(String runId, long second, String type, String data) throws JsonProcessingException {
        metrics.hear(
                new StoredEvent(runId, second + 1, START.plusSeconds(second), type, 1, Json.MAPPER.readTree(data)));
    }

    @Test
    void runsAreCountedByStatusAndTermination() throws JsonProcessingException {
        metrics.found("old", "paused");
        metrics.found("done", "completed");
        hear("r", 0, "run.created", "{}");
        assertThat(meters.scrape())
                .contains("loopkeeper_runs{status=\"queued\"} 1.0", "loopkeeper_runs{status=\"paused\"} 1.0");
        hear("old", 8, "run.queued", "{}");
        assertThat(meters.scrape())
                .contains("loopkeeper_runs{status=\"queued\"} 2.0", "loopkeeper_runs{status=\"paused\"} 0.0");
        hear("r", 1, "run.started", "{}");
        hear("old", 9, "run.resumed", "{}");
        metrics.found("r", "queued");
        assertThat(meters.scrape())
                .contains("loopkeeper_runs{status=\"queued\"} 0.0", "loopkeeper_runs{status=\"running\"} 2.0");
        hear("r", 2, "run.ended", "{\"status\": \"stopped\", \"termination\": {\"subtype\": \"error_max_turns\"}}");
        assertThat(meters.scrape())
                .contains(
                        "loopkeeper_runs{status=\"running\"} 1.0",
                        "loopkeeper_runs_submitted_total 1.0",
                        "loopkeeper_runs_ended_total{status=\"stopped\",termination=\"error_max_turns\"} 1.0");
    }

    @Test
    void theOverheadOfAStepEndsWithItsProcess() throws JsonProcessingException {
        hear("r", 0, "step.started", "{\"stepId\": \"a\"}");
        hear("r", 0, "step.started", "{\"stepId\": \"b\"}");
        nanos = 3_000_000;
        metrics.launched(new StepLaunched("r", "a", OptionalLong.of(7), false));
        metrics.launched(new StepLaunched("r", "b", OptionalLong.of(8), true));
        metrics.launched(new StepLaunched("r", "unheard", OptionalLong.of(9), false));
        hear("r", 1, "step.finished", "{\"stepId\": \"a\", \"result\": {\"status\": \"completed\"}}");
        assertThat(meters.scrape())
                .contains(
                        "loopkeeper_steps_started_total 2.0",
                        "loopkeeper_steps_finished_total{status=\"completed\"} 1.0",
                        "loopkeeper_step_overhead_seconds_count 1",
                        "loopkeeper_step_overhead_seconds_sum 0.003",
                        "loopkeeper_step_overhead_seconds_bucket{le=\"0.005\"} 1");
    }

    @Test
    void aStopLastsFromItsFirstWishToTheEnd() throws JsonProcessingException {
        String ended = "{\"status\": \"stopped\", \"termination\": {\"subtype\": \"error_operator_stop\"}}";
        hear("r", 1, "run.stopping", "{\"graceful\": false}");
        hear("r", 2, "run.stopping", "{\"graceful\": false, \"now\": true}");
        hear("r", 4, "run.ended", ended);
        hear("patient", 1, "run.stopping", "{\"graceful\": true}");
        hear("patient", 60, "run.ended", ended);
        assertThat(meters.scrape()).contains("loopkeeper_stop_seconds_count 1", "loopkeeper_stop_seconds_sum 3.0");
    }

    @Test
    void whatStepsLeaveBehindIsCounted() throws JsonProcessingException {
        hear("r", 1, "step.swept", "{\"stepId\": \"a\", \"count\": 3, \"survivors\": [\"7 sleep\"]}");
        assertThat(meters.scrape())
                .contains(
                        "loopkeeper_sweeps_total 1.0",
                        "loopkeeper_swept_processes_total 3.0",
                        "loopkeeper_sweep_survivors_total 1.0");
    }
}
