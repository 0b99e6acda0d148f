package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.DocumentReading;
import dev.loopkeeper.manifest.ManifestText;
import dev.loopkeeper.scheduler.RunAnswer;
import dev.loopkeeper.scheduler.RunChannels;
import dev.loopkeeper.scheduler.StartRun;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The example of {@code docs/embedding.md}: what stands between the markers is what stands there. */
@ExtendWith(VertxExtension.class)
class EmbeddingExampleTest {
    @TempDir
    private Path folder;

    @Test
    void runsInsideACallersVertx(Vertx vertx, VertxTestContext test) {
        ended(vertx, folder)
                .onComplete(test.succeeding(event -> test.verify(() -> {
                    assertThat(event.data().at("/termination/subtype").asText()).isEqualTo("stop");
                    test.completeNow();
                })));
    }

    @Test
    void theDocumentationShowsThisCode() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/loopkeeper/embed/EmbeddingExampleTest.java"));
        String begin = "// snippet:embed" + "ding\n";
        String snippet =
                source.substring(source.indexOf(begin) + begin.length(), source.indexOf("    // end:embed" + "ding"));
        assertThat(Files.readString(Path.of("../docs/embedding.md")))
                .contains(snippet.stripTrailing().stripIndent());
    }

    // snippet:embedding
    /** Deploys Loopkeeper into this Vertx, runs one manifest, and completes with the event that ends it. */
    static Future<StoredEvent> ended(Vertx vertx, Path folder) {
        Promise<StoredEvent> ended = Promise.promise();
        var ear = StoreChannels.eventsOf("run.ended")
                .listen(vertx.eventBus(), positioned -> ended.tryComplete(positioned.event()));
        return ear.completion()
                .compose(hearing -> Loopkeeper.start(vertx, LoopkeeperOptions.of(folder.resolve("data"))))
                .compose(keeper ->
                        start(vertx, folder).compose(started -> ended.future()).eventually(keeper::close));
    }

    private static Future<RunAnswer> start(Vertx vertx, Path workspace) {
        String manifest = """
                name: embedded
                agents: {greeter: {command: [echo, hello]}}
                phases: [{name: greet, task: greeter}]
                """;
        JsonNode document = ((DocumentReading.Parsed) ManifestText.parse(manifest)).document();
        String path = workspace.toString();
        StartRun command = new StartRun(Optional.empty(), document, path, path, true, Optional.empty());
        return RunChannels.START.ask(vertx.eventBus(), command, Duration.ofSeconds(10));
    }
    // end:embedding
}
