package dev.loopkeeper.scheduler;

import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.checkpoint.StepsView;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.Steps;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What is told of a run from its events, read in pages. */
final class RunHistoryViews {
    private static final int PAGE = 500;

    private final EventStore store;
    private final StepRunner steps;

    RunHistoryViews(EventStore store, StepRunner steps) {
        this.store = store;
        this.steps = steps;
    }

    /** {@code {"steps": [...]}}, oldest first. */
    Future<Steps> steps(RunState state) {
        StepsView view = new StepsView(state.runId());
        return each(state.runId(), 0, event -> view.add(event.type(), event.data(), event.at(), event.execution()))
                .map(read -> view.steps(stepId -> steps.pid(state.runId(), stepId)));
    }

    /** Why the run is where it is, and what may be done next. */
    Future<Explanation> explain(RunState state) {
        List<Explanation.Link> chain = new ArrayList<>();
        return each(state.runId(), 0, event -> addTo(chain, event)).map(read -> RunExplanation.of(state, chain));
    }

    private static void addTo(List<Explanation.Link> chain, StoredEvent event) {
        RunExplanation.link(event.sequence(), event.at(), event.type(), event.data())
                .ifPresent(chain::add);
    }

    private Future<Void> each(String runId, long since, Consumer<StoredEvent> listener) {
        return store.events(runId, since, PAGE).compose(events -> {
            events.forEach(positioned -> listener.accept(positioned.event()));
            return events.size() < PAGE
                    ? Future.succeededFuture()
                    : each(runId, events.get(PAGE - 1).event().sequence(), listener);
        });
    }
}
