package dev.loopkeeper.embed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.Json;
import dev.loopkeeper.checkpoint.RunHistory;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.AppendEvents;
import dev.loopkeeper.store.Appended;
import dev.loopkeeper.store.DataFolder;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.OwnerLock;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.SqliteEventStore;
import dev.loopkeeper.store.SqliteOptions;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A data folder with many copies of one real run whose step ended while nobody was there, or that is paused. */
final class OpenRuns {
    private static final int AT_ONCE = 100;
    private static final String MANIFEST = """
            name: model
            agents: {dev: {command: ["true"], signal: none.json}}
            phases: [{name: build, loop: {steps: [dev]}}]
            """;

    private final Path data;
    private final String model;
    private final List<StoredEvent> history;

    private OpenRuns(Path data, String model, List<StoredEvent> history) {
        this.data = data;
        this.model = model;
        this.history = history;
    }

    /** Fills the data folder; the copies are {@code copy-0} and so on. */
    static void fill(Path data, Path workspace, int count, boolean paused) throws IOException {
        OpenRuns runs = model(data, workspace, paused);
        Vertx vertx = Vertx.vertx();
        OwnerLock lock = new DataFolder(data).prepare().own();
        try {
            EventStore store = Keeper.await(SqliteEventStore.open(vertx, data, SqliteOptions.DEFAULTS));
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

    private static OpenRuns model(Path data, Path workspace, boolean paused) throws IOException {
        try (Keeper keeper = new Keeper(data, workspace)) {
            String runId = keeper.start(MANIFEST);
            String reached = keeper.until(runId, "paused").path("runId").asText();
            List<StoredEvent> events = keeper.events(reached);
            int launched = 0;
            while (!events.get(launched).type().equals("step.started")) {
                launched++;
            }
            return new OpenRuns(data, runId, paused ? events : events.subList(0, launched + 1));
        }
    }

    private AppendEvents copy(String runId) throws IOException {
        copyFolder(data.resolve("runs").resolve(model), data.resolve("runs").resolve(runId), runId);
        List<StoredEvent> events = new ArrayList<>();
        RunState state = null;
        for (StoredEvent event : history) {
            JsonNode content = Json.MAPPER.readTree(event.data().toString().replace(model, runId));
            events.add(new StoredEvent(runId, event.sequence(), event.at(), event.type(), event.execution(), content));
            state = state == null
                    ? RunHistory.begin(event.type(), content, event.at())
                    : RunHistory.next(state, event.type(), content, event.at());
        }
        RunRow row = new RunRow(runId, "model", state.status().wire(), state.createdAt(), RunView.of(state));
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
