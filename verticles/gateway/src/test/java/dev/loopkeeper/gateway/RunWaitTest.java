package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.RunChannels.EndRun;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunWaitTest {
    @TempDir
    Path data;

    private GatewayFixture fixture;

    @BeforeEach
    void open() {
        fixture = GatewayFixture.plain(data);
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "stopping"));
        fixture.happens(TestRuns.event("run-1", 1, "run.created"), TestRuns.run("run-1", "running"));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Future<HttpResponse<Buffer>> asked(String path) {
        return fixture.request(HttpMethod.POST, "/runs/run-1/" + path).send();
    }

    private void happens(long sequence, String type, ObjectNode run) {
        fixture.happens(TestRuns.event("run-1", sequence, type), run);
    }

    private static String status(HttpResponse<Buffer> response) {
        return GatewayFixture.json(response).path("status").asText();
    }

    @Test
    void aStopIsDoneWhenTheRunHasEnded() {
        Future<HttpResponse<Buffer>> response = asked("stop?wait=60s");
        await().until(() -> fixture.scheduler.asked.stream().anyMatch(StopRun.class::isInstance));
        happens(2, "run.stopping", TestRuns.run("run-1", "stopping"));
        happens(3, "step.swept", TestRuns.run("run-1", "stopping"));
        assertThat(response.isComplete()).isFalse();
        happens(4, "run.ended", TestRuns.run("run-1", "stopped"));
        assertThat(GatewayFixture.soon(response).statusCode()).isEqualTo(200);
        assertThat(status(response.result())).isEqualTo("stopped");
    }

    @Test
    void aStopThatLeavesSurvivorsIsDoneToo() {
        Future<HttpResponse<Buffer>> response = asked("stop?wait=60s");
        happens(2, "run.paused", TestRuns.paused("run-1", "anomaly", "continue"));
        happens(3, "run.paused", TestRuns.paused("run-1", "survivors", "continue"));
        assertThat(GatewayFixture.soon(response).statusCode()).isEqualTo(200);
        assertThat(GatewayFixture.json(response.result())
                        .path("pause")
                        .path("reason")
                        .asText())
                .isEqualTo("survivors");
    }

    @Test
    void aPauseAndAResumeAreDoneWhenTheRunPauses() {
        Future<HttpResponse<Buffer>> paused = asked("pause?wait=60s");
        await().until(() -> fixture.scheduler.asked.stream().anyMatch(PauseRun.class::isInstance));
        happens(2, "run.paused", TestRuns.paused("run-1", "operator", "continue"));
        assertThat(GatewayFixture.soon(paused).statusCode()).isEqualTo(200);
        happens(3, "run.resumed", TestRuns.run("run-1", "running"));
        Future<HttpResponse<Buffer>> resumed = asked("resume?wait=60s");
        happens(4, "run.ended", TestRuns.run("run-1", "completed"));
        assertThat(GatewayFixture.soon(resumed).statusCode()).isEqualTo(200);
        assertThat(status(resumed.result())).isEqualTo("completed");
    }

    @Test
    void whatIsDoneAlreadyIsNotWaitedFor() {
        happens(2, "run.ended", TestRuns.run("run-1", "stopped"));
        assertThat(GatewayFixture.soon(asked("stop?wait=5m")).statusCode()).isEqualTo(200);
    }

    private Future<HttpResponse<Buffer>> looking(String query) {
        return fixture.request(HttpMethod.GET, "/runs/run-1?wait=" + query).send();
    }

    @Test
    void aWaitOutlastsAnUnavailableStore() {
        int before = fixture.gateway.listeners();
        Future<HttpResponse<Buffer>> response = looking("60s&for=ended");
        isListenedTo(before);
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "stopped"));
        fixture.nextFindFailure.set(new StoreUnavailableException("no connection", null));
        happens(2, "run.ended", TestRuns.run("run-1", "stopped"));

        assertThat(GatewayFixture.soon(response).statusCode()).isEqualTo(200);
        assertThat(status(response.result())).isEqualTo("stopped");
    }

    private void isListenedTo(int before) {
        await().until(() -> fixture.gateway.listeners() > before);
    }

    @Test
    void aLookIsAnsweredWhenTheRunPauses() {
        int before = fixture.gateway.listeners();
        Future<HttpResponse<Buffer>> either = looking("60s");
        Future<HttpResponse<Buffer>> end = looking("60s&for=ended");
        Future<HttpResponse<Buffer>> pause = looking("60s&for=paused");
        await().until(() -> fixture.gateway.listeners() == before + 3);

        fixture.scheduler.runs.put("run-1", TestRuns.paused("run-1", "operator", "continue"));
        happens(2, "run.paused", TestRuns.paused("run-1", "operator", "continue"));

        assertThat(status(GatewayFixture.soon(either))).isEqualTo("paused");
        assertThat(status(GatewayFixture.soon(pause))).isEqualTo("paused");
        assertThat(end.isComplete()).isFalse();

        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "stopped"));
        happens(3, "run.ended", TestRuns.run("run-1", "stopped"));
        assertThat(status(GatewayFixture.soon(end))).isEqualTo("stopped");
        assertThat(status(GatewayFixture.soon(looking("5m&for=paused")))).isEqualTo("stopped");
    }

    @Test
    void aWaitThatTimesOutReturnsTheRun() {
        HttpResponse<Buffer> response = GatewayFixture.soon(looking("50ms"));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(status(response)).isEqualTo("stopping");
    }

    @Test
    void anUnknownRunIsNotWaitedFor() {
        assertThat(GatewayFixture.soon(fixture.request(HttpMethod.GET, "/runs/nobody?wait=5m")
                                .send())
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void anEndIsDoneWhenTheRunHasEnded() {
        int before = fixture.gateway.listeners();
        Future<HttpResponse<Buffer>> response = fixture.request(HttpMethod.POST, "/runs/run-1/end?wait=60s")
                .putHeader("Content-Type", "application/json")
                .sendBuffer(Buffer.buffer("{\"reason\": \"halted\", \"summary\": \"no licence\"}"));
        isListenedTo(before);
        happens(2, "run.ended", TestRuns.run("run-1", "failed"));
        assertThat(GatewayFixture.soon(response).statusCode()).isEqualTo(200);
        assertThat(fixture.scheduler.last(EndRun.class))
                .isEqualTo(new EndRun("run-1", "halted", "no licence", Optional.empty()));
    }

    @Test
    void aWaitHasAnEnd() {
        HttpResponse<Buffer> response = GatewayFixture.soon(asked("stop?wait=50ms"));
        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(status(response)).isEqualTo("running");
    }

    @Test
    void aClientThatLeavesIsNotWaitedForAnyMore() {
        HttpClient other = fixture.vertx.createHttpClient();
        int before = fixture.gateway.listeners();
        Future<HttpClientResponse> response = other.request(
                        HttpMethod.POST, fixture.gateway.port(), "127.0.0.1", "/api/v1/runs/run-1/stop?wait=5m")
                .compose(HttpClientRequest::send);
        await().until(() -> fixture.gateway.listeners() > before);
        GatewayFixture.soon(other.close());
        await().until(() -> fixture.gateway.listeners() == before);
        await().until(response::failed);
    }

    /** The connection was cut, so that a client took it for a crash. */
    @Test
    void aServerThatStopsAnswersTheRequestsThatWait() {
        int before = fixture.gateway.listeners();
        List<Future<HttpResponse<Buffer>>> waiting = List.of(looking("5m"), asked("stop?wait=5m"));
        await().until(() -> fixture.gateway.listeners() == before + 2);
        GatewayFixture.soon(fixture.vertx.undeploy(fixture.gateway.deploymentID()));
        waiting.forEach(response -> {
            assertThat(GatewayFixture.soon(response).statusCode()).isEqualTo(503);
            assertThat(GatewayFixture.json(response.result()).path("code").asText())
                    .isEqualTo("draining");
        });
    }

    @Test
    void aRefusalIsNotWaitedFor() {
        fixture.scheduler.refusal = question -> Optional.of(new Refusal(RefusalCode.NOT_STOPPABLE, "it has ended"));
        assertThat(GatewayFixture.soon(asked("stop?wait=5m")).statusCode()).isEqualTo(409);
    }
}
