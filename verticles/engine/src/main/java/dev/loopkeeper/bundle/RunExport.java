package dev.loopkeeper.bundle;

import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.store.ContextFold;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStore.StoredReceipt;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredRun;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.Blocking;
import io.vertx.core.Future;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes one paused or ended run of a store as a bundle. Changes nothing, and needs no ownership. Blocks. */
public final class RunExport {
    private static final Logger LOG = LoggerFactory.getLogger(RunExport.class);
    private static final int PAGE = 1000;
    /** Limit of one request to the store. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final EventStore store;
    private final RunFiles files;

    /** Reads this store and the files that belong to it. */
    public RunExport(EventStore store, RunFiles files) {
        this.store = store;
        this.files = files;
    }

    /**
     * Returns the manifest when the file is durable. Fails with {@link BundleException} for a run that is unknown, is in
     * progress or continued during the export, and for a file that exists.
     */
    public BundleManifest export(String runId, Path file, Instant now) {
        return BundleFile.write(file, draft -> {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(draft))) {
                return write(runId, out, now);
            }
        });
    }

    /**
     * Returns the manifest when all is written. Fails with {@link BundleException} before anything is written for a run
     * that is unknown or in progress, and at the end for one that continued during the export.
     *
     * @param out stays open
     */
    public BundleManifest write(String runId, OutputStream out, Instant now) throws IOException {
        RunRow row = resting(runId);
        SortedMap<String, AtomicFile.Content> all = files.of(runId);
        BundleWriter writer = new BundleWriter(out);
        writer.add(BundlePaths.EVENTS, events -> events(row, events));
        writer.add(BundlePaths.RECEIPTS, receipts -> receipts(runId, receipts));
        Optional<StoredRun> run = asked(store.load(runId));
        if (run.flatMap(StoredRun::snapshot).isPresent()) {
            String snapshot = Json.MAPPER
                    .createObjectNode()
                    .put("sequence", run.get().snapshotSequence())
                    .put("state", run.get().snapshot().get())
                    .toString();
            writer.add(BundlePaths.SNAPSHOT, text -> text.write(snapshot.getBytes(StandardCharsets.UTF_8)));
        }
        for (Map.Entry<String, AtomicFile.Content> file : all.entrySet()) {
            writer.add(BundlePaths.ofFile(file.getKey()), file.getValue());
        }
        try {
            contexts(row, writer);
        } catch (CheckpointException unreadable) {
            LOG.warn("the bundle of run {} has no contexts of launches: {}", runId, unreadable.getMessage());
        }
        BundleManifest manifest = new BundleManifest(
                BundleManifest.FORMAT.current(),
                row.runId(),
                row.name(),
                row.status(),
                sequence(row),
                now,
                writer.entries());
        writer.finish(manifest);
        refuseChanged(row);
        return manifest;
    }

    private static <T> T asked(Future<T> answer) {
        return Blocking.answer(answer, PATIENCE);
    }

    private RunRow resting(String runId) {
        RunRow row = asked(store.find(runId)).orElseThrow(() -> new BundleException("there is no run " + runId));
        if (!RunStatus.ENDED.contains(row.status()) && !row.status().equals(RunStatus.PAUSED.wire())) {
            throw new BundleException("run " + runId + " is " + row.status() + "; pause or stop it first");
        }
        return row;
    }

    private void events(RunRow row, OutputStream out) throws IOException {
        each(row, event -> BundleWriter.line(out, Json.MAPPER.writeValueAsString(event)));
    }

    /** Writes what each launch had in its folder as {@code context.json}, which --keep-logs may have removed. */
    private void contexts(RunRow row, BundleWriter writer) throws IOException {
        ContextFold fold = new ContextFold();
        each(row, event -> {
            Optional<LaunchContext> context = fold.add(event);
            if (context.isPresent()) {
                String path = "steps/" + context.get().step().stepId() + "/" + StepFiles.CONTEXT;
                byte[] bytes = Json.MAPPER.writeValueAsBytes(context.get());
                writer.add(BundlePaths.ofFile(path), out -> out.write(bytes));
            }
        });
    }

    @FunctionalInterface
    private interface EventWriter {
        void write(StoredEvent event) throws IOException;
    }

    private void each(RunRow row, EventWriter writer) throws IOException {
        long newest = sequence(row);
        for (long since = 0; since < newest; ) {
            List<PositionedEvent> page = asked(store.events(row.runId(), since, (int) Math.min(PAGE, newest - since)));
            if (page.isEmpty()) {
                throw new BundleException("run " + row.runId() + " was removed during the export");
            }
            for (PositionedEvent event : page) {
                writer.write(event.event());
            }
            since += page.size();
        }
    }

    private void receipts(String runId, OutputStream out) throws IOException {
        long after = 0;
        for (List<StoredReceipt> page = asked(store.receipts(runId, after));
                !page.isEmpty();
                page = asked(store.receipts(runId, after))) {
            for (StoredReceipt receipt : page) {
                BundleWriter.line(out, receipt.json());
                after = receipt.id();
            }
        }
    }

    private static long sequence(RunRow row) {
        return row.run().map(Run::sequence).orElse(0L);
    }

    /** The file of a run that was resumed during the export is inconsistent. */
    private void refuseChanged(RunRow before) {
        Optional<RunRow> after = asked(store.find(before.runId()));
        if (after.filter(row -> sequence(row) == sequence(before)).isEmpty()) {
            throw new BundleException("run " + before.runId()
                    + " continued during the export; export it again when it has ended or is paused");
        }
    }
}
