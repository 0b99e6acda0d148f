package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.json.Json;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.auth.User;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountedGatewayTest extends WithBrowser {
    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private Loopkeeper keeper;
    private int port;

    @AfterEach
    void close() throws Exception {
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    private GatewayOptions options() {
        return GatewayOptions.mounted(folder.resolve("data"));
    }

    /** The server of another program, with a path of its own beside the gateway. */
    private final class OwnServer extends VerticleBase {
        private final GatewayOptions options;

        OwnServer(GatewayOptions options) {
            this.options = options;
        }

        @Override
        public Future<?> start() {
            Router root = Router.router(vertx);
            root.get("/own").handler(request -> request.response().end("mine"));
            root.route("/loops/*").subRouter(Gateway.router(vertx, keeper, options));
            Future<HttpServer> listening =
                    vertx.createHttpServer().requestHandler(root).listen(0, "localhost");
            return listening.onSuccess(server -> port = server.actualPort());
        }
    }

    private void serve(GatewayOptions options) throws Exception {
        keeper = Loopkeeper.start(vertx, LoopkeeperOptions.of(folder.resolve("data")))
                .await(60, TimeUnit.SECONDS);
        vertx.deployVerticle(new OwnServer(options)).await(60, TimeUnit.SECONDS);
        Awaitility.await().until(() -> get("/loops/api/v1/healthz").statusCode() != 503);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofString());
    }

    @Test
    void apiAndDashboardAreBelowThePathOfAnotherServer() throws Exception {
        serve(options());

        assertThat(get("/own").body()).isEqualTo("mine");
        assertThat(get("/loops/api/v1/runs").body()).contains("\"runs\"");
        HttpResponse<String> redirected = get("/loops");
        assertThat(redirected.statusCode()).isEqualTo(302);
        assertThat(redirected.headers().firstValue("Location")).contains("/loops/");
        HttpResponse<String> page = get("/loops/");
        assertThat(page.body()).contains("href=\"assets/").doesNotContain("=\"/");
        String script = page.body().replaceAll("(?s).*src=\"(assets/[^\"]+)\".*", "$1");
        assertThat(get("/loops/" + script).statusCode()).isEqualTo(200);
        assertThat(get("/loops/nope").statusCode()).isEqualTo(404);
        JsonNode openApi = Json.MAPPER.readTree(get("/loops/openapi.json").body());
        assertThat(openApi.findValues("servers"))
                .flatExtracting(servers -> servers.findValuesAsText("url"))
                .containsOnly("/loops/api/v1", "/loops/");
    }

    @Test
    void aSubmittedRunIsNamedByItsPathBelowThePrefix() throws Exception {
        serve(options());
        String body = "{\"manifest\": {\"name\": \"one\", \"agents\": {\"dev\": {\"command\": [\"true\"]}},"
                + " \"phases\": [{\"name\": \"a\", \"task\": \"dev\"}]}, \"workspace\": \"" + folder + "\"}";

        HttpResponse<String> submitted = send(request("/loops/api/v1/runs")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build());

        assertThat(submitted.statusCode()).as(submitted.body()).isEqualTo(201);
        JsonNode run = Json.MAPPER.readTree(submitted.body());
        String location = submitted.headers().firstValue("Location").orElseThrow();
        assertThat(location).isEqualTo("/loops/api/v1/runs/" + run.path("runId").asText());
        assertThat(get(location).statusCode()).isEqualTo(200);
    }

    @Test
    void theDashboardWorksBelowThePrefixInABrowser() throws Exception {
        serve(options());
        keeper.submit(
                        "{name: below, agents: {dev: {command: [\"true\"]}}, phases: [{name: a, task: dev}]}",
                        RunOptions.DEFAULTS.workspace(folder).runId("below-1"))
                .await(60, TimeUnit.SECONDS);

        browser.go("http://localhost:" + port + "/loops/");

        browser.until(
                "the run in the list", now -> now.executeScript("return document.body.innerText.includes('below')"));
        browser.until("the live feed", now -> now.executeScript("return document.body.innerText.includes('live')"));
        browser.leave();
    }

    @Test
    void aClosedGatewayAnswers503AndTheServerStays() throws Exception {
        serve(options());

        keeper.close().await(60, TimeUnit.SECONDS);

        assertThat(get("/loops/api/v1/runs").statusCode()).isEqualTo(503);
        assertThat(get("/loops/").statusCode()).isEqualTo(503);
        assertThat(get("/own").body()).isEqualTo("mine");
    }

    @Test
    void anAuthenticationHandlerIdentifiesCallersInPlaceOfTokens() throws Exception {
        serve(options().authenticated(request -> {
            String name = request.request().getHeader("X-Name");
            if (name == null) {
                request.fail(401);
            } else {
                ((io.vertx.ext.web.impl.UserContextInternal) request.userContext()).setUser(User.fromName(name));
                request.next();
            }
        }));

        assertThat(get("/loops/api/v1/runs").statusCode()).isEqualTo(401);
        assertThat(send(request("/loops/api/v1/runs").header("X-Name", "alice").build())
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aRegistryOfTheEmbedderHasTheMetricsUntilTheClose() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        serve(options().metered(registry));

        assertThat(registry.find("loopkeeper.runs.submitted").counter()).isNotNull();
        assertThat(get("/loops/metrics").body()).contains("loopkeeper_runs_submitted");
        keeper.close().await(60, TimeUnit.SECONDS);

        assertThat(registry.getMeters()).isEmpty();
    }
}
