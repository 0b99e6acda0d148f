package dev.loopkeeper.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.StoredEvent;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunMetricsTest {
    private static final Instant START = Instant.parse("2026-11-20T15:12:33Z");

    private final Meters meters = new Meters();
    private long nanos;
    private final RunMetrics metrics = new RunMetrics(meters, () -> nanos);

    private void publish(String runId, long second, String type, String data) throws JsonProcessingException {
        StoredEvent event =
                new StoredEvent(runId, second + 1, START.plusSeconds(second), type, 1, Json.MAPPER.readTree(data));
        metrics.count(event);
        metrics.follow(event);
    }

    /** As it receives a run that another node executes. */
    private void receiveElsewhere(String runId, long second, String type, String data) throws JsonProcessingException {
        metrics.follow(
                new StoredEvent(runId, second + 1, START.plusSeconds(second), type, 1, Json.MAPPER.readTree(data)));
    }

    private String scrape() {
        meters.openRuns.update(START, runId -> true, runId -> false);
        return meters.scrape();
    }

    @Test
    void theProcessAndTheReleaseAreMeasured() {
        assertThat(scrape())
                .contains("\njvm_memory_used_bytes{", "\njvm_threads_live_threads ", "\njvm_gc_")
                .contains("\nprocess_cpu_usage ", "\nprocess_files_open_files ", "\nprocess_uptime_seconds ")
                .contains("\nloopkeeper_build_info{java=\"" + Runtime.version() + "\",version=\"");
    }

    @Test
    void runsAreCountedByStatusAndTermination() throws JsonProcessingException {
        metrics.found("old", "paused", START, Optional.of("anomaly"));
        metrics.found("done", "completed", START, Optional.empty());
        publish("r", 0, "run.created", "{}");
        assertThat(scrape())
                .contains("loopkeeper_runs{status=\"queued\"} 1.0", "loopkeeper_runs{status=\"paused\"} 1.0");
        publish("old", 8, "run.queued", "{}");
        assertThat(scrape())
                .contains("loopkeeper_runs{status=\"queued\"} 2.0", "loopkeeper_runs{status=\"paused\"} 0.0");
        publish("r", 1, "run.started", "{}");
        publish("old", 9, "run.resumed", "{}");
        metrics.found("r", "queued", START, Optional.empty());
        assertThat(scrape())
                .contains("loopkeeper_runs{status=\"queued\"} 0.0", "loopkeeper_runs{status=\"running\"} 2.0");
        publish("r", 2, "run.ended", "{\"status\": \"stopped\", \"termination\": {\"subtype\": \"error_max_turns\"}}");
        assertThat(scrape())
                .contains(
                        "loopkeeper_runs{status=\"running\"} 1.0",
                        "loopkeeper_runs_submitted_total 1.0",
                        "loopkeeper_runs_ended_total{status=\"stopped\",termination=\"error_max_turns\"} 1.0");
    }

    @Test
    void theOverheadOfAStepEndsWithItsProcess() throws JsonProcessingException {
        publish("r", 0, "step.started", "{\"stepId\": \"a\"}");
        publish("r", 0, "step.started", "{\"stepId\": \"b\"}");
        nanos = 3_000_000;
        metrics.launched(new StepLaunched("r", "a", OptionalLong.of(7), false));
        metrics.launched(new StepLaunched("r", "b", OptionalLong.of(8), true));
        metrics.launched(new StepLaunched("r", "unheard", OptionalLong.of(9), false));
        publish("r", 1, "step.finished", "{\"stepId\": \"a\", \"result\": {\"status\": \"completed\"}}");
        assertThat(meters.scrape())
                .contains(
                        "loopkeeper_steps_started_total 2.0",
                        "loopkeeper_steps_finished_total{status=\"completed\"} 1.0",
                        "loopkeeper_step_overhead_seconds_count 1",
                        "loopkeeper_step_overhead_seconds_sum 0.003",
                        "loopkeeper_step_overhead_seconds_bucket{le=\"0.005\"} 1");
    }

    @Test
    void aStopLastsFromItsFirstRequestToTheEnd() throws JsonProcessingException {
        String ended = "{\"status\": \"stopped\", \"termination\": {\"subtype\": \"error_operator_stop\"}}";
        publish("r", 1, "run.stopping", "{\"graceful\": false}");
        publish("r", 2, "run.stopping", "{\"graceful\": false, \"now\": true}");
        publish("r", 4, "run.ended", ended);
        publish("patient", 1, "run.stopping", "{\"graceful\": true}");
        publish("patient", 60, "run.ended", ended);
        assertThat(meters.scrape()).contains("loopkeeper_stop_seconds_count 1", "loopkeeper_stop_seconds_sum 3.0");
    }

    @Test
    void whatStepsLeaveBehindIsCounted() throws JsonProcessingException {
        publish("r", 1, "step.swept", "{\"stepId\": \"a\", \"count\": 3, \"survivors\": [\"7 sleep\"]}");
        assertThat(meters.scrape())
                .contains(
                        "loopkeeper_sweeps_total 1.0",
                        "loopkeeper_swept_processes_total 3.0",
                        "loopkeeper_sweep_survivors_total 1.0");
    }

    @Test
    void pausesAreCountedByReasonWithTheirAge() throws JsonProcessingException {
        metrics.found("old", "paused", START.minusSeconds(30), Optional.of("user_input_needed"));
        publish("a", 10, "run.paused", "{\"reason\": \"missing_signals\"}");
        publish("b", 20, "run.paused", "{\"reason\": \"missing_signals\"}");
        meters.openRuns.update(START.plusSeconds(70), runId -> true, runId -> false);
        assertThat(meters.scrape())
                .contains(
                        "loopkeeper_paused_runs{reason=\"missing_signals\"} 2.0",
                        "loopkeeper_paused_oldest_seconds{reason=\"missing_signals\"} 60.0",
                        "loopkeeper_paused_oldest_seconds{reason=\"user_input_needed\"} 100.0",
                        "loopkeeper_paused_runs{reason=\"cadence\"} 0.0");
        publish("a", 71, "run.resumed", "{}");
        meters.openRuns.update(START.plusSeconds(80), runId -> true, runId -> false);
        assertThat(meters.scrape()).contains("loopkeeper_paused_oldest_seconds{reason=\"missing_signals\"} 60.0");
    }

    @Test
    void theQueueHasItsLengthAndItsWaitAndNoRunThatIsHeld() throws JsonProcessingException {
        publish("held", 0, "run.created", "{\"start\": false}");
        publish("one", 10, "run.created", "{\"start\": true}");
        publish("two", 20, "run.created", "{\"start\": true}");
        publish("one", 25, "run.queued", "{}");
        meters.openRuns.update(START.plusSeconds(40), runId -> true, Set.of("one", "two")::contains);
        assertThat(meters.scrape()).contains("loopkeeper_queue_length 2.0", "loopkeeper_queue_oldest_seconds 30.0");
        publish("one", 50, "run.started", "{}");
        meters.openRuns.update(START.plusSeconds(50), runId -> true, Set.of("two")::contains);
        assertThat(meters.scrape())
                .contains("loopkeeper_queue_length 1.0", "loopkeeper_queue_oldest_seconds 30.0")
                .contains("loopkeeper_queue_wait_seconds_count 1", "loopkeeper_queue_wait_seconds_sum 40.0");
    }

    @Test
    void whatStepsUsedIsAddedUpByAgentAndUnknownIsNothing() throws JsonProcessingException {
        String used = "{\"agent\": \"dev\", \"result\": {\"status\": \"completed\","
                + " \"usage\": {\"costUsd\": 0.5, \"inputTokens\": 100, \"outputTokens\": 10, \"turns\": 1}}}";
        publish("r", 1, "step.finished", used);
        publish("r", 2, "step.finished", used);
        publish(
                "r",
                3,
                "step.finished",
                "{\"agent\": \"judge\", \"costUnknown\": true, \"result\": {\"status\": \"error\", \"usage\": null}}");
        publish("r", 4, "step.retrying", "{}");
        assertThat(meters.scrape())
                .contains(
                        "loopkeeper_agent_cost_usd_total{agent=\"dev\"} 1.0",
                        "loopkeeper_agent_tokens_total{agent=\"dev\",kind=\"input\"} 200.0",
                        "loopkeeper_agent_tokens_total{agent=\"dev\",kind=\"output\"} 20.0",
                        "loopkeeper_agent_steps_without_cost_total{agent=\"dev\"} 0.0",
                        "loopkeeper_agent_steps_without_cost_total{agent=\"judge\"} 1.0",
                        "loopkeeper_step_retries_total 1.0")
                .doesNotContain("loopkeeper_agent_cost_usd_total{agent=\"judge\"}");
    }

    @Test
    void namesOfAgentsDoNotMakeSeriesWithoutEnd() throws JsonProcessingException {
        for (int number = 0; number < 2 * AgentMetrics.MOST_NAMES; number++) {
            publish(
                    "r",
                    number,
                    "step.finished",
                    "{\"agent\": \"agent-" + number
                            + "\", \"result\": {\"status\": \"completed\", \"usage\": {\"costUsd\": 1}}}");
        }
        assertThat(meters.scrape().lines().filter(line -> line.startsWith("loopkeeper_agent_cost_usd_total{")))
                .hasSize(AgentMetrics.MOST_NAMES + 1);
        assertThat(meters.scrape()).contains("loopkeeper_agent_cost_usd_total{agent=\"(others)\"} 50.0");
    }

    @Test
    void anAgentThatIsTakenOverIsCounted() {
        metrics.launched(new StepLaunched("r", "a", OptionalLong.of(7), true));
        assertThat(meters.scrape()).contains("loopkeeper_steps_adopted_total 1.0");
    }

    /** Its node counts it; here it is known all the same, since it may be carried on here. */
    @Test
    void countsARunOfAnotherNodeOnceItContinuesHere() throws JsonProcessingException {
        receiveElsewhere("r", 0, "run.created", "{}");
        receiveElsewhere("r", 10, "run.started", "{}");
        receiveElsewhere("r", 10, "step.started", "{\"stepId\": \"a\"}");
        receiveElsewhere("r", 20, "run.stopping", "{\"graceful\": false}");
        meters.openRuns.update(START, Set.of()::contains, runId -> false);
        assertThat(meters.scrape())
                .contains(
                        "loopkeeper_runs{status=\"stopping\"} 0.0",
                        "loopkeeper_runs_submitted_total 0.0",
                        "loopkeeper_steps_started_total 0.0",
                        "loopkeeper_queue_wait_seconds_count 0");
        meters.openRuns.update(START, Set.of("r")::contains, runId -> false);
        assertThat(meters.scrape()).contains("loopkeeper_runs{status=\"stopping\"} 1.0");
        publish(
                "r",
                23,
                "run.ended",
                "{\"status\": \"stopped\", \"termination\": {\"subtype\": \"error_operator_stop\"}}");
        assertThat(scrape())
                .contains(
                        "loopkeeper_stop_seconds_sum 3.0",
                        "loopkeeper_runs{status=\"stopping\"} 0.0",
                        "loopkeeper_runs_ended_total{status=\"stopped\",termination=\"error_operator_stop\"} 1.0");
    }
}
