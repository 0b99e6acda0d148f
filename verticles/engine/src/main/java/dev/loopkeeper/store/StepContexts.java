package dev.loopkeeper.store;

import dev.loopkeeper.checkpoint.RunHistory;
import dev.loopkeeper.rules.LaunchContexts;
import dev.loopkeeper.run.OpenStep;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.step.LaunchContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What launches knew of what came before them, by the events up to each: the same on every node, and after its folder is
 * gone. Reads part by part; folds them on a worker.
 */
public final class StepContexts {
    private static final Set<String> STARTED = Set.of("step.started");

    private final Vertx vertx;
    private final EventStore store;

    /** Those in this store. */
    public StepContexts(Vertx vertx, EventStore store) {
        this.vertx = vertx;
        this.store = store;
    }

    /** Of one step; empty where the run has none of this id. */
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
                        : stateAt(runId, begin.get().get()).map(state -> of(state, stepId)));
    }

    private static Optional<LaunchContext> of(RunState state, String stepId) {
        OpenStep step = state.steps().get(stepId);
        return step == null ? Optional.empty() : Optional.of(LaunchContexts.of(state, step));
    }

    private Future<RunState> stateAt(String runId, long sequence) {
        AtomicReference<RunState> state = new AtomicReference<>();
        EventQuery all = EventQuery.upTo(runId, sequence);
        return new EventPages(store)
                .each(all, part -> vertx.executeBlocking(() -> fold(state, part), false))
                .map(read -> state.get());
    }

    private static boolean fold(AtomicReference<RunState> state, List<PositionedEvent> part) {
        for (PositionedEvent positioned : part) {
            StoredEvent event = positioned.event();
            state.set(
                    state.get() == null
                            ? RunHistory.begin(event.type(), event.data(), event.at())
                            : RunHistory.next(state.get(), event.type(), event.data(), event.at()));
        }
        return true;
    }
}
