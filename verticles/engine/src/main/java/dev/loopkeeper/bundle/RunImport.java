package dev.loopkeeper.bundle;

import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.CheckpointJson;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.CheckpointFile;
import dev.loopkeeper.data.RunFolders;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.retention.Retention;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.ImportRules;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredRun;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;

/** Imports a bundle completely, or not at all. For the owner of the data folder. */
public final class RunImport {
    private final Vertx vertx;
    private final EventStore store;
    private final RunFolders folders;
    private final Retention retention;

    /** Into this store and its data folder. */
    public RunImport(Vertx vertx, EventStore store, Path dataFolder) {
        this.vertx = vertx;
        this.store = store;
        this.folders = new RunFolders(dataFolder);
        this.retention = new Retention(vertx, store, dataFolder, gone -> {});
    }

    /**
     * Answers the run as it is now. Fails with {@link BundleException} for a bundle that is damaged, of a newer format
     * or of a run that is under way, and for a run that is known already.
     */
    public Future<RunRow> restore(Path file, Instant now) {
        return retention
                .finish()
                .compose(ready -> blocking(file, () -> runId(file)))
                .compose(this::refuseKnown)
                .compose(runId -> blocking(file, () -> unpack(file, now)))
                .compose(draft -> retention
                        .restore(draft.history(), draft.receipts(), draft.folder())
                        .map(restored -> draft.history().row()))
                .recover(refused -> retention.finish().transform(cleaned -> Future.failedFuture(refused)));
    }

    private record Draft(AppendEvents history, List<String> receipts, Path folder) {}

    /** Also refuses an id that is not a valid folder name. */
    private String runId(Path file) throws IOException {
        try (BundleReader reader = new BundleReader(file, BundleLimits.DEFAULTS)) {
            return folders.of(reader.manifest().runId()).getFileName().toString();
        }
    }

    private Future<String> refuseKnown(String runId) {
        return store.find(runId).map(found -> {
            if (found.isPresent() || Files.exists(folders.of(runId))) {
                throw new BundleException("run " + runId + " is already in this data folder; nothing was imported");
            }
            return runId;
        });
    }

    private Draft unpack(Path file, Instant now) throws IOException {
        try (BundleReader reader = new BundleReader(file, BundleLimits.DEFAULTS)) {
            List<StoredEvent> events = events(reader);
            List<String> receipts = lines(reader, BundlePaths.RECEIPTS);
            checkSnapshot(reader);
            Decision decision = ImportRules.decide(fold(events), now);
            if (decision.refusal().isPresent()) {
                throw new BundleException(decision.refusal().get().message());
            }
            Path folder = folders.draft(reader.manifest().runId());
            reader.unpack(folder);
            RunState state = decision.state();
            AtomicFile.replaceDurably(
                    folder.resolve(CheckpointFile.NAME),
                    CheckpointJson.of(state, Instants.now()).toPrettyString());
            return new Draft(history(state, withDecided(events, decision, now)), receipts, folder);
        }
    }

    private static List<String> lines(BundleReader reader, String name) throws IOException {
        return reader.fact(name).stream()
                .flatMap(String::lines)
                .filter(line -> !line.isBlank())
                .toList();
    }

    private static List<StoredEvent> events(BundleReader reader) throws IOException {
        List<StoredEvent> events = new ArrayList<>();
        for (String line : lines(reader, BundlePaths.EVENTS)) {
            StoredEvent event = Json.MAPPER.readValue(line, StoredEvent.class);
            boolean next = event.sequence() == events.size() + 1
                    && reader.manifest().runId().equals(event.runId())
                    && event.at() != null
                    && event.type() != null;
            if (!next) {
                throw new BundleException(
                        "event " + (events.size() + 1) + " of the bundle is missing or belongs to another run");
            }
            events.add(event);
        }
        if (events.isEmpty() || events.size() != reader.manifest().sequence()) {
            throw new BundleException("the bundle has " + events.size() + " events where its manifest says "
                    + reader.manifest().sequence());
        }
        return events;
    }

    /** The content follows from the events. A newer format shows that the events may be newer too. */
    private static void checkSnapshot(BundleReader reader) throws IOException {
        Optional<String> snapshot = reader.fact(BundlePaths.SNAPSHOT);
        if (snapshot.isPresent()) {
            RunState state = StateJson.read(
                    Json.MAPPER.readTree(snapshot.get()).path("state").asText());
            if (!state.runId().equals(reader.manifest().runId())) {
                throw new BundleException("the snapshot of the bundle belongs to another run");
            }
        }
    }

    private static RunState fold(List<StoredEvent> events) {
        RunState state = StoredRun.after(null, events);
        if (!state.runId().equals(events.get(0).runId())) {
            throw new BundleException("the first event of the bundle belongs to another run");
        }
        return state;
    }

    private static List<StoredEvent> withDecided(List<StoredEvent> events, Decision decision, Instant now) {
        List<StoredEvent> all = new ArrayList<>(events);
        for (RunEvent event : decision.events()) {
            all.add(new StoredEvent(
                    decision.state().runId(),
                    all.size() + 1,
                    now,
                    EventTypes.of(event),
                    decision.state().execution(),
                    EventJson.write(event)));
        }
        return all;
    }

    private static AppendEvents history(RunState state, List<StoredEvent> events) {
        return new AppendEvents(
                state.runId(), 0, 1, events, RunRow.of(state), Optional.of(StateJson.write(state)), Optional.empty());
    }

    /** Reports every defect of a bundle as a refusal. */
    private <T> Future<T> blocking(Path file, Reading<T> work) {
        return vertx.executeBlocking(
                () -> {
                    try {
                        return work.read();
                    } catch (NoSuchFileException none) {
                        throw new BundleException("there is no file " + file, none);
                    } catch (ZipException other) {
                        String message =
                                file + " cannot be imported, because the file is damaged or was not written by export: "
                                        + other.getMessage();
                        throw new BundleException(message, other);
                    } catch (BundleException | CheckpointException | IOException | IllegalArgumentException refused) {
                        String message = file + " cannot be imported: " + refused.getMessage();
                        throw new BundleException(message, refused);
                    }
                },
                false);
    }

    private interface Reading<T> {
        T read() throws IOException;
    }
}
