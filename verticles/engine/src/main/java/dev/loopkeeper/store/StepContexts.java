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
        return store.events(EventQuery.ofSteps(runId, STARTED, Set.of(stepId)))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : lastUpTo(runId, found.get(0).event().sequence()));
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
