package dev.loopkeeper.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.bus.RecordCodec;
import dev.loopkeeper.scheduler.ListRuns;
import dev.loopkeeper.scheduler.RunChannels;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks for {@link ControlFiles} twice a second. Deploy one instance, after the scheduler. */
public final class ControlFilesVerticle extends VerticleBase {
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<String> OPEN = Set.of("queued", "running", "waiting", "paused", "stopping");
    private static final int NEWEST = 200;
    private static final int MOST_OPEN = 700;

    private WorkerExecutor workers;
    private ControlFiles files;
    private Future<Void> looking = Future.succeededFuture();
    private boolean ending;

    /** Its work begins when it is deployed. */
    public ControlFilesVerticle() {}

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        workers = Workers.of(vertx, "loopkeeper-control", 1);
        files = new ControlFiles(vertx.eventBus(), workers);
        return StoreChannels.eventsOf("run.created")
                .listen(vertx.eventBus(), this::created)
                .completion()
                .compose(hearing -> watchThoseOf(Set.of(), NEWEST))
                .compose(newest -> watchThoseOf(OPEN, MOST_OPEN))
                .onSuccess(known -> look());
    }

    private void created(PositionedEvent event) {
        files.watch(event.event().data().path("workspace").asText());
    }

    private Future<Void> watchThoseOf(Set<String> statuses, int limit) {
        return RunChannels.LIST
                .ask(vertx.eventBus(), new ListRuns(statuses, limit, Optional.empty()), PATIENCE)
                .map(list -> {
                    List<JsonNode> oldestFirst = new ArrayList<>(list.runs());
                    Collections.reverse(oldestFirst);
                    oldestFirst.stream()
                            .map(run -> run.path("workspace").asText())
                            .filter(workspace -> !workspace.isEmpty())
                            .forEach(files::watch);
                    return null;
                });
    }

    /** The next look is due when this one is over, however long that takes. */
    private void look() {
        if (ending) {
            return;
        }
        looking = files.look().onSuccess(looked -> vertx.setTimer(EVERY.toMillis(), due -> look()));
    }

    @Override
    public Future<?> stop() {
        ending = true;
        return looking.eventually(workers::close);
    }
}
