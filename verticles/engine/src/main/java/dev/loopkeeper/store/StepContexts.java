package dev.loopkeeper.store;

import dev.loopkeeper.step.LaunchContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Rebuilds the context of a launch from the events before it. So it is the same on every node, and known after the
 * step's folder is removed. Reads in parts and replays on a worker.
 */
public final class StepContexts {
    private static final Set<String> STARTED = Set.of("step.started");

    private final Vertx vertx;
    private final EventStore store;

    /** Reads from this store. */
    public StepContexts(Vertx vertx, EventStore store) {
        this.vertx = vertx;
        this.store = store;
    }

    /** Returns the context of one step; empty if the run has no such step. */
    public Future<Optional<LaunchContext>> find(String runId, String stepId) {
        AtomicReference<Optional<Long>> begin = new AtomicReference<>(Optional.empty());
        return new EventPages(store)
                .each(EventQuery.about(runId, STARTED, stepId), part -> {
                    part.stream()
                            .map(PositionedEvent::event)
                            .filter(event ->
                                    event.data().path("stepId").asText().equals(stepId))
                            .findFirst()
                            .ifPresent(event -> begin.set(Optional.of(event.sequence())));
                    return Future.succeededFuture(begin.get().isEmpty());
                })
                .compose(read -> begin.get().isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : lastUpTo(runId, begin.get().get()));
    }

    private Future<Optional<LaunchContext>> lastUpTo(String runId, long sequence) {
        ContextFold fold = new ContextFold();
        AtomicReference<Optional<LaunchContext>> last = new AtomicReference<>(Optional.empty());
        return new EventPages(store)
                .each(
                        EventQuery.upTo(runId, sequence),
                        part -> vertx.executeBlocking(
                                () -> {
                                    part.forEach(positioned -> last.set(fold.add(positioned.event())));
                                    return true;
                                },
                                false))
                .map(read -> last.get());
    }
}
