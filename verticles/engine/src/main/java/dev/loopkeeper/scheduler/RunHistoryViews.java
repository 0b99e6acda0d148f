package dev.loopkeeper.scheduler;

import dev.loopkeeper.checkpoint.ItemAttempts;
import dev.loopkeeper.checkpoint.ItemsView;
import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.checkpoint.StepsView;
import dev.loopkeeper.contract.run.ListItems;
import dev.loopkeeper.contract.run.ListSteps;
import dev.loopkeeper.contract.run.RunAnswer;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StepPages;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What is told of a run from its events, as few of them as it takes. Hundreds of events are read apart on a worker: the
 * event loop has steps to look after.
 */
final class RunHistoryViews {
    private static final int PAGE = 500;
    /** Of all items together: what a picture of thousands of items costs has an end. */
    private static final int MOST_ATTEMPTS = 5000;

    private static final Set<String> OF_STEPS = Set.of("step.started", "step.finished");

    private final EventStore store;
    private final OpenedSteps steps;
    private final StepPages pages;
    private final WorkerExecutor workers;

    RunHistoryViews(EventStore store, OpenedSteps steps, WorkerExecutor workers) {
        this.store = store;
        this.steps = steps;
        this.workers = workers;
        this.pages = new StepPages(store);
    }

    /** {@code {"steps": [...]}}, all of them, oldest first. */
    Future<RunAnswer> steps(RunState state) {
        StepsView view = new StepsView(state.runId());
        return each(state.runId(), 0, event -> view.add(event.type(), event.data(), event.at(), event.execution()))
                .map(read -> view.steps(pids(state)))
                .compose(all -> workers.executeBlocking(() -> RunAnswer.of(all), false));
    }

    /** Some of them. */
    Future<StepPage> steps(RunState state, ListSteps asked) {
        StepPages.Range range = new StepPages.Range(asked.since(), asked.before(), asked.limit());
        return pages.page(state.runId(), range, state.steps().keySet(), pids(state));
    }

    /** One of them; empty when there is none of this id. */
    Future<Optional<Step>> step(RunState state, String stepId) {
        return pages.find(state.runId(), stepId, pids(state));
    }

    private Function<String, OptionalLong> pids(RunState state) {
        return stepId -> steps.pid(state.runId(), stepId);
    }

    /** Some of its items, with the newest attempts; of thousands, so not on the event loop. */
    Future<RunAnswer> items(RunState state, ListItems asked) {
        EventQuery ended =
                EventQuery.newest(state.runId(), Set.of(ItemAttempts.ENDED), state.sequence() + 1, MOST_ATTEMPTS);
        return store.events(ended).compose(found -> workers.executeBlocking(() -> items(state, asked, found), false));
    }

    private static RunAnswer items(RunState state, ListItems asked, List<PositionedEvent> newestFirst) {
        ItemAttempts attempts = new ItemAttempts();
        newestFirst.forEach(
                ended -> attempts.addOlder(ended.event().data(), ended.event().at()));
        return RunAnswer.of(ItemsView.page(state, asked.since(), asked.limit(), attempts));
    }

    /** Why the run is where it is, and what may be done next. */
    Future<RunAnswer> explain(RunState state) {
        EventQuery newest =
                EventQuery.newest(state.runId(), RunExplanation.LINKS, state.sequence() + 1, RunExplanation.MOST_LINKS);
        return store.events(newest)
                .compose(found ->
                        workers.executeBlocking(() -> RunAnswer.of(RunExplanation.of(state, chain(found))), false));
    }

    private static List<Explanation.Link> chain(List<PositionedEvent> newestFirst) {
        List<Explanation.Link> chain = new ArrayList<>();
        for (PositionedEvent positioned : newestFirst) {
            StoredEvent event = positioned.event();
            RunExplanation.link(event.sequence(), event.at(), event.type(), event.data())
                    .ifPresent(chain::add);
        }
        Collections.reverse(chain);
        return chain;
    }

    private Future<Void> each(String runId, long since, Consumer<StoredEvent> listener) {
        return store.events(EventQuery.oldest(runId, OF_STEPS, since, PAGE))
                .compose(events -> workers.executeBlocking(
                        () -> {
                            events.forEach(positioned -> listener.accept(positioned.event()));
                            return events;
                        },
                        false))
                .compose(events -> events.size() < PAGE
                        ? Future.succeededFuture()
                        : each(runId, events.get(PAGE - 1).event().sequence(), listener));
    }
}
