package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.run.RunAnswer;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.contract.run.StartRun;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestText;
import dev.loopkeeper.run.StopAsked;
import dev.loopkeeper.run.TerminalExhausted;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void hearsWhyARunWasStoppedAndWithWhatItEnded() throws IOException {
        List<String> told = new CopyOnWriteArrayList<>();
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("work"))) {
            assertThat(Keeper.await(warn(keeper.vertx(), told::add).map(true))).isTrue();
            String runId = keeper.start("""
                    name: sleeper
                    agents: {one: {command: [sleep, "300"]}}
                    phases: [{name: only, task: one}]
                    """);
            assertThat(keeper.until(runId, "running").path("execution").asInt()).isEqualTo(1);
            assertThat(keeper.stop(runId, true).refusal()).isEmpty();
            Awaitility.await().until(() -> told.size() == 2);
            assertThat(told)
                    .containsExactly(runId + " is asked to stop: operator", runId + " has ended: operator-stop");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"embedding", "typed"})
    void theDocumentationShowsThisCode(String name) throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/loopkeeper/embed/EmbeddingExampleTest.java"));
        String begin = "// snippet:" + name + "\n";
        String snippet = source.substring(source.indexOf(begin) + begin.length(), source.indexOf("    // end:" + name));
        assertThat(Files.readString(Path.of("../../docs/embedding.md")))
                .contains(snippet.stripTrailing().stripIndent());
    }

    // snippet:embedding
    /** Deploys Loopkeeper into this Vertx, runs one manifest, and completes with the event that ends it. */
    static Future<StoredEvent> ended(Vertx vertx, Path folder) {
        Promise<StoredEvent> ended = Promise.promise();
        var listener = StoreChannels.eventsOf("run.ended")
                .listen(vertx.eventBus(), positioned -> ended.tryComplete(positioned.event()));
        return listener.completion()
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

    // snippet:typed
    /** Tells of every run that is asked to stop, and of every ending that is no success. */
    static Future<?> warn(Vertx vertx, Consumer<String> person) {
        var stops = RunEvents.listen(
                vertx.eventBus(),
                StopAsked.class,
                heard -> person.accept(heard.runId() + " is asked to stop: "
                        + heard.event().cause().wire()));
        var endings = RunEvents.listen(
                vertx.eventBus(),
                TerminalExhausted.class,
                heard -> person.accept(
                        heard.runId() + " has ended: " + heard.event().reasonCode()));
        return Future.all(stops.completion(), endings.completion());
    }
    // end:typed
}
