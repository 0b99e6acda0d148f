package dev.loopkeeper.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.CheckpointFile;
import dev.loopkeeper.data.RunFolders;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoredRun;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Writes one paused or ended run of a store into a file. Changes nothing, and needs no ownership. */
public final class RunExport {
    private static final int PAGE = 1000;

    private final Vertx vertx;
    private final EventStore store;
    private final Path dataFolder;

    /** Reads this store and its data folder. */
    public RunExport(Vertx vertx, EventStore store, Path dataFolder) {
        this.vertx = vertx;
        this.store = store;
        this.dataFolder = dataFolder;
    }

    /**
     * Answers the manifest once the file is durable. Fails with {@link BundleException} for a run that is unknown or
     * under way, or went on meanwhile, and for a file that exists.
     */
    public Future<BundleManifest> export(String runId, Path file, Instant now) {
        return resting(runId)
                .compose(row -> events(runId, 0, sequence(row), new ArrayList<>())
                        .compose(events -> store.load(runId)
                                .compose(run -> store.receipts(runId)
                                        .compose(receipts ->
                                                write(new Facts(row, events, run.orElseThrow(), receipts), file, now)))
                                .compose(written -> unlessChanged(row, file).map(written))));
    }

    private record Facts(RunRow row, List<PositionedEvent> events, StoredRun run, List<String> receipts) {}

    private Future<RunRow> resting(String runId) {
        return store.find(runId).map(found -> {
            RunRow row = found.orElseThrow(() -> new BundleException("there is no run " + runId));
            if (!RunStatus.ENDED.contains(row.status()) && !row.status().equals(RunStatus.PAUSED.wire())) {
                throw new BundleException("run " + runId + " is " + row.status() + "; pause or stop it first");
            }
            return row;
        });
    }

    private Future<List<PositionedEvent>> events(String runId, long since, long newest, List<PositionedEvent> found) {
        if (since >= newest) {
            return Future.succeededFuture(found);
        }
        return store.events(runId, since, (int) Math.min(PAGE, newest - since)).compose(page -> {
            found.addAll(page);
            return page.isEmpty()
                    ? Future.failedFuture(new BundleException("run " + runId + " was removed meanwhile"))
                    : events(runId, since + page.size(), newest, found);
        });
    }

    private Future<BundleManifest> write(Facts facts, Path file, Instant now) {
        return vertx.executeBlocking(
                () -> {
                    try {
                        return writeFile(facts, file, now);
                    } catch (IOException | UncheckedIOException refused) {
                        throw new BundleException(file + " cannot be written: " + refused.getMessage(), refused);
                    }
                },
                false);
    }

    private BundleManifest writeFile(Facts facts, Path file, Instant now) throws IOException {
        if (Files.exists(file)) {
            throw new BundleException(file + " exists; name another file");
        }
        if (!Files.isDirectory(file.toAbsolutePath().getParent())) {
            throw new BundleException(
                    "there is no folder " + file.toAbsolutePath().getParent() + "; make it first");
        }
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        Path draft = Files.createTempFile(file.toAbsolutePath().getParent(), ".loopkeeper-export", ".zip", ownerOnly);
        try {
            BundleManifest manifest;
            try (BundleWriter writer = new BundleWriter(Files.newOutputStream(draft))) {
                manifest = fill(writer, facts, now);
            }
            AtomicFile.publish(draft, file);
            return manifest;
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private BundleManifest fill(BundleWriter writer, Facts facts, Instant now) throws IOException {
        RunRow row = facts.row();
        Path folder = new RunFolders(dataFolder).of(row.runId());
        writer.lines(BundlePaths.EVENTS, facts.events().stream().map(RunExport::line));
        writer.lines(BundlePaths.RECEIPTS, facts.receipts().stream());
        if (facts.run().snapshot().isPresent()) {
            var snapshot =
                    Json.MAPPER.createObjectNode().put("sequence", facts.run().snapshotSequence());
            writer.text(
                    BundlePaths.SNAPSHOT,
                    snapshot.put("state", facts.run().snapshot().get()).toString());
        }
        writer.folder(folder, folder.resolve(CheckpointFile.NAME));
        BundleManifest manifest = new BundleManifest(
                BundleManifest.KIND,
                BundleManifest.FORMAT.current(),
                row.runId(),
                row.name(),
                row.status(),
                facts.events().size(),
                now,
                writer.entries());
        writer.finish(manifest);
        return manifest;
    }

    private static String line(PositionedEvent event) {
        try {
            return Json.MAPPER.writeValueAsString(event.event());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static long sequence(RunRow row) {
        return row.run().map(Run::sequence).orElse(0L);
    }

    /** A run that was resumed while it was copied is not what the file says. */
    private Future<Void> unlessChanged(RunRow before, Path file) {
        return store.find(before.runId()).compose(after -> {
            if (after.filter(row -> sequence(row) == sequence(before)).isPresent()) {
                return Future.succeededFuture();
            }
            return vertx.fileSystem()
                    .delete(file.toString())
                    .transform(removed ->
                            Future.failedFuture(new BundleException("run " + before.runId() + " went on meanwhile")));
        });
    }
}
