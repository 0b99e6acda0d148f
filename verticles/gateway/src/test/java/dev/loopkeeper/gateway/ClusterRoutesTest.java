package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.run.NodeChannels;
import dev.loopkeeper.contract.run.NodeList;
import dev.loopkeeper.contract.run.NodeSelf;
import dev.loopkeeper.contract.run.StepPlace;
import dev.loopkeeper.rules.Refusal;
import dev.loopkeeper.view.Node;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.client.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server answers that is a node of a cluster. */
class ClusterRoutesTest {
    private static final String LOG = "/runs/run-1/steps/build.1.dev.1/log";

    @TempDir
    Path data;

    private GatewayFixture fixture;
    private volatile boolean live = true;
    private volatile Optional<Node> place = Optional.empty();

    @BeforeEach
    void open() {
        fixture = GatewayFixture.plain(data);
        fixture.scheduler.steps.put("run-1", TestRuns.steps("run-1", "build.1.dev.1", TestRuns.NOW));
        List<Node> nodes = List.of(node("n1", Node.State.SILENT), node("n2", Node.State.LIVE));
        GatewayFixture.soon(Future.all(
                NodeChannels.LIST.serve(fixture.vertx.eventBus(), asked -> Future.succeededFuture(new NodeList(nodes))),
                NodeChannels.SELF.serve(
                        fixture.vertx.eventBus(), asked -> Future.succeededFuture(new NodeSelf("n2", live))),
                NodeChannels.STEP.serve(
                        fixture.vertx.eventBus(), asked -> Future.succeededFuture(new StepPlace(place)))));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Node node(String name, Node.State state) {
        return new Node(
                name,
                state,
                name.equals("n2"),
                state == Node.State.LIVE ? OptionalLong.empty() : OptionalLong.of(6200),
                Optional.of("http://" + name + ":7420"),
                "1",
                OptionalInt.of(3),
                OptionalInt.empty());
    }

    @Test
    void listsAllNodes() {
        JsonNode nodes = GatewayFixture.json(fixture.get("/nodes")).path("nodes");

        assertThat(nodes).hasSize(2);
        assertThat(nodes.get(0).path("state").asText()).isEqualTo("silent");
        assertThat(nodes.get(0).path("silentMillis").asLong()).isEqualTo(6200);
        assertThat(nodes.get(1).path("self").asBoolean()).isTrue();
    }

    @Test
    void isReadyOnlyWithALease() {
        assertThat(fixture.get("/health/ready").statusCode()).isEqualTo(200);
        live = false;

        HttpResponse<Buffer> unready = fixture.get("/health/ready");
        assertThat(unready.statusCode()).isEqualTo(503);
        assertThat(GatewayFixture.json(unready).path("code").asText()).isEqualTo("node-not-live");
        assertThat(fixture.get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void namesTheNodeThatHasALog() {
        place = Optional.of(node("n1", Node.State.SILENT));
        HttpResponse<Buffer> away = fixture.get(LOG);
        assertThat(away.statusCode()).isEqualTo(503);
        assertThat(GatewayFixture.json(away).path("code").asText()).isEqualTo("node-unreachable");
        assertThat(GatewayFixture.json(away).path("detail").asText()).contains("node n1", "silent", "http://n1:7420");

        place = Optional.of(node("n2", Node.State.LIVE));
        assertThat(fixture.get(LOG).statusCode()).as("of a step of its own").isEqualTo(200);
        assertThat(fixture.get("/runs/run-1/steps/other/log").statusCode()).isEqualTo(404);
    }

    @Test
    void anOwnerThatDoesNotAnswerIsNoConflict() {
        fixture.scheduler.refusal = question -> Optional.of(new Refusal("node-unreachable", "n1 does not answer"));
        HttpResponse<Buffer> refused = fixture.post("/runs/run-1/stop", "{}");

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(GatewayFixture.json(refused).path("code").asText()).isEqualTo("node-unreachable");
    }
}
