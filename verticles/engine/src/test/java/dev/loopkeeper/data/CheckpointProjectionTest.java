package dev.loopkeeper.data;

import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointProjectionTest {
    private static final Duration NEVER = Duration.ofHours(1);

    @TempDir
    private Path data;

    private Vertx vertx;
    private Context context;
    private CheckpointFile file;

    @BeforeEach
    void open() {
        vertx = Vertx.vertx();
        context = vertx.getOrCreateContext();
        file = new CheckpointFile(vertx, data);
    }

    @AfterEach
    void close() {
        await(file.close());
        await(vertx.close());
    }

    @Test
    void replacesTheFileAndLeavesNothingElse() throws IOException {
        await(file.write("run-1", () -> "{\"sequence\":1}"));
        await(file.write("run-1", () -> "{\"sequence\":2}"));

        assertThat(checkpoint("run-1")).hasContent("{\"sequence\":2}");
        try (var files = Files.list(data.resolve("runs/run-1"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void keepsAsideWhatIsDamagedOrOfANewerVersion() throws IOException {
        for (String foreign : new String[] {"{\"sequence\":", "{\"formatVersion\":99}"}) {
            Files.createDirectories(data.resolve("runs/run-1"));
            Files.writeString(checkpoint("run-1"), foreign);
            CheckpointFile restarted = new CheckpointFile(vertx, data);

            await(restarted.write("run-1", () -> "{\"sequence\":1}"));
            await(restarted.write("run-1", () -> "{\"sequence\":2}"));
            await(restarted.close());

            assertThat(checkpoint("run-1")).hasContent("{\"sequence\":2}");
        }
        assertThat(data.resolve("runs/run-1/checkpoint.json.aside-1")).hasContent("{\"sequence\":");
        assertThat(data.resolve("runs/run-1/checkpoint.json.aside-2")).hasContent("{\"formatVersion\":99}");
        assertThat(data.resolve("runs/run-1/checkpoint.json.aside-3")).doesNotExist();
    }

    @Test
    void refusesARunIdThatWouldLeaveTheFolder() {
        for (String runId : new String[] {"..", "../x", "a/b", "", ".hidden", "a\0b"}) {
            assertThat(failure(file.write(runId, () -> "{}"))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void namesTheFileThatCannotBeWritten() throws IOException {
        Files.writeString(data.resolve("runs"), "in the way");

        assertThat(failure(file.write("run-1", () -> "{}")))
                .isInstanceOf(DataFolderException.class)
                .hasMessageContaining("runs/run-1/checkpoint.json");
    }

    @Test
    void writesARunThatEndsSoonOnce() {
        CheckpointProjection projection = new CheckpointProjection(vertx, file, NEVER);
        AtomicInteger made = new AtomicInteger();

        await(onContext(() -> projection.update("run-1", content(made, "started"), false)));
        await(onContext(() -> projection.update("run-1", content(made, "running"), false)));
        await(onContext(() -> projection.update("run-1", content(made, "ended"), true)));

        assertThat(checkpoint("run-1")).hasContent("ended");
        assertThat(made).hasValue(1);
    }

    @Test
    void letsWhatIsNotUrgentWaitAlsoAfterTheUrgent() {
        CheckpointProjection projection = new CheckpointProjection(vertx, file, NEVER);
        AtomicInteger made = new AtomicInteger();

        await(onContext(() -> projection.update("run-1", content(made, "paused"), true)));
        await(onContext(() -> projection.update("run-1", content(made, "resumed"), false)));
        assertThat(checkpoint("run-1")).hasContent("paused");

        await(onContext(() -> projection.flush("run-1")));
        assertThat(checkpoint("run-1")).hasContent("resumed");
        assertThat(made).hasValue(2);
    }

    @Test
    void writesWhatWaitedAfterTheInterval() {
        CheckpointProjection projection = new CheckpointProjection(vertx, file, Duration.ofMillis(20));

        await(onContext(() -> projection.update("run-1", () -> "first", false)));
        await(onContext(() -> projection.update("run-1", () -> "latest", false)));

        Awaitility.await().untilAsserted(() -> assertThat(checkpoint("run-1")).hasContent("latest"));
    }

    @Test
    void writesOnceWhatWasHeld() {
        CheckpointProjection projection = new CheckpointProjection(vertx, file, NEVER);
        AtomicInteger made = new AtomicInteger();
        await(onContext(() -> {
            projection.hold();
            Future<Void> first = projection.update("run-1", content(made, "first"), true);
            Future<Void> second = projection.update("run-1", content(made, "second"), true);
            return Future.all(first, second).mapEmpty();
        }));
        assertThat(made).hasValue(0);

        await(onContext(() -> {
            projection.release();
            return projection.flush("run-1");
        }));

        assertThat(checkpoint("run-1")).hasContent("second");
        assertThat(made).hasValue(1);
    }

    @Test
    void flushesEveryRun() {
        CheckpointProjection projection = new CheckpointProjection(vertx, file, NEVER);
        await(onContext(() -> {
            Future<Void> first = projection.update("run-1", () -> "1a", true);
            Future<Void> second = projection.update("run-2", () -> "2a", true);
            return Future.all(first, second).mapEmpty();
        }));
        await(onContext(() -> projection.update("run-1", () -> "1b", false)));
        await(onContext(() -> projection.update("run-2", () -> "2b", false)));

        await(onContext(projection::flushAll));

        assertThat(checkpoint("run-1")).hasContent("1b");
        assertThat(checkpoint("run-2")).hasContent("2b");
        await(onContext(() -> projection.flush("unknown")));
    }

    @Test
    void triesOnWhenTheDiskRefused() throws IOException {
        CheckpointProjection projection = new CheckpointProjection(vertx, file, Duration.ofMillis(20));
        Path inTheWay = Files.writeString(data.resolve("runs"), "in the way");

        await(onContext(() -> projection.update("run-1", () -> "ended", true)));
        Files.delete(inTheWay);

        Awaitility.await().untilAsserted(() -> assertThat(checkpoint("run-1")).hasContent("ended"));
    }

    private Path checkpoint(String runId) {
        return data.resolve("runs").resolve(runId).resolve("checkpoint.json");
    }

    private static Supplier<String> content(AtomicInteger made, String text) {
        return () -> {
            made.incrementAndGet();
            return text;
        };
    }

    private Future<Void> onContext(Supplier<Future<Void>> work) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(now -> work.get().onComplete(done::handle));
        return done.future();
    }

    /** A file of megabytes was written and synced each second. */
    @Test
    void aLongFileRestsLongerThanAShortOne() {
        assertThat(CheckpointProjection.rest(CheckpointProjection.INTERVAL, 50_000))
                .isEqualTo(CheckpointProjection.INTERVAL);
        assertThat(CheckpointProjection.rest(CheckpointProjection.INTERVAL, 2 * 1024 * 1024))
                .isEqualTo(CheckpointProjection.INTERVAL.multipliedBy(9));
    }
}
