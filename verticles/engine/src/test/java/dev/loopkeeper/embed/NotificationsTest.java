package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole Loopkeeper and a receiver of its notifications. */
class NotificationsTest {
    @TempDir
    private Path folder;

    @Test
    void notifiesOfTheEndThoughTheRuntimeEndsAtOnce() throws IOException {
        Vertx vertx = Vertx.vertx();
        List<String> bodies = new CopyOnWriteArrayList<>();
        HttpServer receiver = Keeper.await(vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> {
                    bodies.add(body.toString());
                    request.response().end();
                }))
                .listen(0, "127.0.0.1"));
        Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"));
        keeper.script("dev.sh", "exit 0");
        String runId = keeper.start("""
                name: told
                agents: {dev: {command: ./dev.sh}}
                phases: [{name: build, task: dev}]
                notify: [{webhook: "http://127.0.0.1:%d/hook", events: [run.started, run.ended]}]
                """.formatted(receiver.actualPort()));
        assertThat(keeper.until(runId, "completed", "failed").path("status").asText())
                .isEqualTo("completed");
        keeper.close();
        assertThat(bodies).hasSize(2);
        JsonNode ended = Json.MAPPER.readTree(bodies.get(1));
        assertThat(ended.path("type").asText()).isEqualTo("run.ended");
        assertThat(ended.path("runId").asText()).isEqualTo(runId);
        assertThat(ended.path("summary").asText()).isEqualTo("completed: all phases are complete");
        assertThat(Keeper.await(vertx.close())).isNull();
    }
}
