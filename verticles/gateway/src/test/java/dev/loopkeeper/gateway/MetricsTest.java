package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.NodeFigures;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus reads from a whole Loopkeeper. */
class MetricsTest {
    @TempDir
    private Path folder;

    @Test
    void theMetricsMoveWithARun() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            assertThat(scrape(keeper).body())
                    .contains("loopkeeper_runs{status=\"running\"} 0.0", "loopkeeper_feed_clients 0.0")
                    .contains("loopkeeper_feed_lagged_total 0.0", "loopkeeper_append_seconds_count 0");
            keeper.script("dev.sh", "exit 0");
            String runId = keeper.start("""
                    name: measured
                    agents: {dev: {command: ./dev.sh}}
                    phases: [{name: build, task: dev}]
                    """);
            assertThat(keeper.until(runId, "completed", "failed").path("status").asText())
                    .isEqualTo("completed");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(scrape(keeper).body())
                            .contains("loopkeeper_runs_ended_total{status=\"completed\",termination=\"stop\"} 1.0")
                            .contains("loopkeeper_steps_finished_total{status=\"completed\"} 1.0")
                            .contains("loopkeeper_step_overhead_seconds_count 1")
                            .containsPattern("loopkeeper_append_seconds_count [1-9]")
                            .containsPattern("loopkeeper_event_loop_delay_seconds_count [1-9]"));
            assertThat(scrape(keeper).headers().firstValue("Content-Type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
        }
    }

    /** While the database does not say what waits, that is unknown and not none. */
    @Test
    void aNodeReportsItsLeaseAndItsQueue(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            assertThat(scrape(keeper).body()).as("alone").doesNotContain("loopkeeper_lease", "loopkeeper_cluster");
            AtomicReference<NodeFigures> figures =
                    new AtomicReference<>(new NodeFigures(4500, 2250, 7, 2, 1, OptionalLong.of(3), OptionalLong.of(5)));
            Keeper.await(NodeChannels.FIGURES.serve(
                    keeper.vertx().eventBus(), asked -> Future.succeededFuture(figures.get())));

            assertThat(scrape(keeper).body())
                    .contains("loopkeeper_lease_margin_seconds 4.5", "loopkeeper_lease_least_margin_seconds 2.25")
                    .contains("loopkeeper_takeovers_total 7.0", "loopkeeper_fences_total 2.0")
                    .contains("loopkeeper_lost_leases_total 1.0", "loopkeeper_cluster_commands_waiting 3.0")
                    .contains("loopkeeper_cluster_runs_without_node 5.0");
            figures.set(new NodeFigures(0, 0, 7, 2, 2, OptionalLong.empty(), OptionalLong.empty()));
            assertThat(scrape(keeper).body())
                    .contains("loopkeeper_lease_margin_seconds 0.0", "loopkeeper_lost_leases_total 2.0")
                    .contains("loopkeeper_cluster_commands_waiting NaN", "loopkeeper_cluster_runs_without_node NaN");
        }
    }

    private static HttpResponse<String> scrape(Keeper keeper) throws IOException {
        URI uri = URI.create(keeper.url() + "/metrics");
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }
}
