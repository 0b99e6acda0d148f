package dev.loopkeeper.scheduler;

import dev.loopkeeper.checkpoint.ItemAttempts;
import dev.loopkeeper.checkpoint.ItemsView;
import dev.loopkeeper.contract.RunChannels.ListItems;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.EventPages;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Explanations;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StepPages;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Builds views of a run from as few of its events as necessary. Events are parsed on a worker, to keep the event loop
 * free for steps.
 */
final class RunHistoryViews {
    /** Most attempts of all items together, to limit the cost of a run with thousands of items. */
    private static final int MOST_ATTEMPTS = 5000;

    private final EventPages events;
    private final OpenedSteps steps;
    private final StepPages pages;
    private final Explanations explanations;
    private final WorkerExecutor workers;

    RunHistoryViews(Vertx vertx, EventStore store, OpenedSteps steps, WorkerExecutor workers) {
        this.events = new EventPages(store);
        this.steps = steps;
        this.workers = workers;
        this.pages = new StepPages(vertx, store);
        this.explanations = new Explanations(vertx, store);
    }

    /** Returns a page of the run's steps. */
    Future<StepPage> steps(ListSteps asked) {
        return pages.page(asked, pids(asked.runId()));
    }

    /** Returns one step; empty when there is none with this id. */
    Future<Optional<Step>> step(String runId, String stepId) {
        return pages.find(runId, stepId, pids(runId));
    }

    private Function<String, OptionalLong> pids(String runId) {
        return stepId -> steps.pid(runId, stepId);
    }

    /** Returns a page of the run's items with their newest attempts, built on a worker. */
    Future<RunAnswer> items(RunState state, ListItems asked) {
        EventQuery ended =
                EventQuery.newest(state.runId(), Set.of(ItemAttempts.ENDED), state.sequence() + 1, MOST_ATTEMPTS);
        ItemAttempts attempts = new ItemAttempts();
        return events.each(ended, apart(event -> attempts.addOlder(event.data(), event.at())))
                .compose(read -> workers.executeBlocking(
                        () -> RunAnswer.of(ItemsView.page(state, asked.since(), asked.limit(), attempts)), false));
    }

    /** Explains the state of the run and its next actions. */
    Future<RunAnswer> explain(RunState state) {
        return explanations
                .of(state)
                .compose(explanation -> workers.executeBlocking(() -> RunAnswer.of(explanation), false));
    }

    private Function<List<PositionedEvent>, Future<Boolean>> apart(Consumer<StoredEvent> listener) {
        return part -> workers.executeBlocking(
                () -> {
                    part.forEach(positioned -> listener.accept(positioned.event()));
                    return true;
                },
                false);
    }
}
