package dev.loopkeeper.embed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.RunHistory;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A data folder with many copies of one real run whose step ended while no runtime lived, or that is paused. */
public final class OpenRuns {
    /** Where the copies stand. */
    public enum CopyState {
        /** Waits for a person. */
        PAUSED,
        /** Its step ended while no runtime lived. */
        RUNNING,
        /** Was never started, and must not start automatically. */
        QUEUED
    }

    private static final int AT_ONCE = 100;
    private static final String MANIFEST = """
            name: model
            agents: {dev: {command: ["true"], signal: none.json}}
            phases: [{name: build, loop: {steps: [dev]}}]
            """;

    private final Path data;
    private final String model;
    private final List<StoredEvent> history;

    private final CopyState stand;

    private OpenRuns(Path data, String model, List<StoredEvent> history, CopyState stand) {
        this.data = data;
        this.model = model;
        this.history = history;
        this.stand = stand;
    }

    /** Fills the data folder; the copies are {@code copy-0} and so on. */
    public static void fill(Path data, Path workspace, int count, CopyState stand) throws IOException {
        OpenRuns runs = model(data, workspace, stand);
        Vertx vertx = Vertx.vertx();
        OwnerLock lock = new DataFolder(data).prepare().own();
        try {
            OpenStore store = Keeper.await(SqliteEventStore.open(vertx, data));
            for (int first = 0; first < count; first += AT_ONCE) {
                List<Future<Appended>> appends = new ArrayList<>();
                for (int copy = first; copy < Math.min(count, first + AT_ONCE); copy++) {
                    appends.add(store.append(runs.copy("copy-" + copy)));
                }
                Keeper.await(Future.all(appends).<Void>mapEmpty());
            }
            Keeper.await(store.close());
        } finally {
            lock.close();
            Keeper.await(vertx.close());
        }
    }

    private static OpenRuns model(Path data, Path workspace, CopyState stand) throws IOException {
        try (Keeper keeper = new Keeper(data, workspace)) {
            String runId = keeper.start(MANIFEST);
            String reached = keeper.until(runId, "paused").path("runId").asText();
            List<StoredEvent> events = keeper.events(reached);
            int launched = 0;
            while (!events.get(launched).type().equals("step.started")) {
                launched++;
            }
            int last = switch (stand) {
                case PAUSED -> events.size();
                case RUNNING -> launched + 1;
                case QUEUED -> 1;
            };
            return new OpenRuns(data, runId, events.subList(0, last), stand);
        }
    }

    private AppendEvents copy(String runId) throws IOException {
        copyFolder(data.resolve("runs").resolve(model), data.resolve("runs").resolve(runId), runId);
        List<StoredEvent> events = new ArrayList<>();
        RunState state = null;
        for (StoredEvent event : history) {
            JsonNode content = Json.MAPPER.readTree(event.data().toString().replace(model, runId));
            if (stand == CopyState.QUEUED) {
                ((ObjectNode) content).put("start", false);
            }
            events.add(new StoredEvent(runId, event.sequence(), event.at(), event.type(), event.execution(), content));
            state = state == null
                    ? RunHistory.begin(event.type(), content, event.at())
                    : RunHistory.next(state, event.type(), content, event.at());
        }
        RunRow row =
                new RunRow(runId, "model", state.status().wire(), state.createdAt(), ViewJson.write(RunView.of(state)));
        return new AppendEvents(runId, 0, 1, events, row, Optional.empty(), Optional.empty());
    }

    private void copyFolder(Path from, Path to, String runId) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.writeString(target, Files.readString(file).replace(model, runId));
                }
            }
        }
    }
}
