package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.FreePorts;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.LoopkeeperPart;
import dev.loopkeeper.gateway.access.GatewayOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server answers while it takes up its open runs. */
class StartingTest {
    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final SlowPart slow = new SlowPart();
    private Future<Loopkeeper> starting;
    private int port;

    @BeforeEach
    void startSlowly() {
        port = FreePorts.next();
        Path data = folder.resolve("data");
        starting = Loopkeeper.start(
                vertx,
                LoopkeeperOptions.of(data)
                        .with(new Gateway(GatewayOptions.loopback(port, data)))
                        .with(slow));
        GatewayFixture.soon(slow.reached.future());
    }

    @AfterEach
    void end() {
        slow.release.tryComplete();
        GatewayFixture.soon(starting.compose(Loopkeeper::close).compose(closed -> vertx.close()));
    }

    @Test
    void itSaysThatItLivesAndIsNotReadyAndLaterThatItIs() throws Exception {
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        for (String path : new String[] {"/health/ready", "/api/v1/health/ready", "/api/v1/runs", "/metrics"}) {
            HttpResponse<String> early = get(path);
            assertThat(early.statusCode()).as(path).isEqualTo(503);
            assertThat(early.body()).contains("\"code\":\"starting\"");
            assertThat(early.headers().firstValue("Retry-After")).contains("1");
        }
        assertThat(get("/").statusCode()).as("the page waits for it by itself").isEqualTo(200);
        assertThat(folder.resolve("data/server.json")).doesNotExist();

        slow.release.complete();
        GatewayFixture.soon(starting);

        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
        assertThat(get("/api/v1/runs").body()).contains("\"runs\":[]");
        assertThat(folder.resolve("data/server.json")).exists();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Takes as long to prepare as the test wants. */
    private static final class SlowPart implements LoopkeeperPart {
        private final Promise<Void> reached = Promise.promise();
        private final Promise<Void> release = Promise.promise();

        @Override
        public Future<Void> check(Vertx vertx) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> prepare(Host host) {
            reached.complete();
            return release.future();
        }

        @Override
        public Future<Void> start(Host host) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> stop() {
            return Future.succeededFuture();
        }
    }
}
