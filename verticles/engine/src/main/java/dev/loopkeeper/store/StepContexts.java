package dev.loopkeeper.store;

import dev.loopkeeper.step.LaunchContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.Set;

/**
 * Rebuilds the context of a launch from the run as it was then. So it is the same on every node, and known after the
 * step's folder is removed. Replays on a worker.
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
                        : store.loadAt(runId, found.get(0).event().sequence()))
                .compose(then ->
                        vertx.executeBlocking(() -> then.flatMap(run -> ContextFold.of(run.state(), stepId)), false));
    }
}
