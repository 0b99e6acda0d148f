package dev.loopkeeper.store;

import dev.loopkeeper.checkpoint.StepsView;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.view.GitWork;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads steps of a run by the store's index of steps. A step's position is the sequence of the event that records its
 * start.
 */
public final class StepPages {
    private static final Set<String> STARTED = Set.of("step.started");
    private static final Set<String> FINISHED = Set.of("step.finished");
    private static final Set<String> BOTH = Set.of("step.started", "step.finished");
    private static final Set<String> COMMITTED = Set.of("workspace.committed");

    /** Limit of the results of one page as JSON. */
    private static final int MOST_BYTES = 4 << 20;

    private final Vertx vertx;
    private final EventStore store;
    private final EventPages events;

    /** Reads from this store. */
    public StepPages(Vertx vertx, EventStore store) {
        this.vertx = vertx;
        this.store = store;
        this.events = new EventPages(store);
    }

    /**
     * Returns steps of one run, oldest first; fewer than the limit if they exceed {@link #MOST_BYTES}, but at least
     * one.
     *
     * @param pid process id of a running step
     */
    public Future<StepPage> page(ListSteps question, Function<String, OptionalLong> pid) {
        // One more than the limit, to know whether there are more.
        int limit = question.limit() + 1;
        EventQuery query = question.since().isPresent()
                ? EventQuery.oldest(question.runId(), STARTED, question.since().getAsLong(), limit)
                : EventQuery.newest(question.runId(), STARTED, question.before().orElse(Long.MAX_VALUE), limit);
        List<PositionedEvent> starts = new ArrayList<>();
        return events.each(query, part -> Future.succeededFuture(starts.addAll(part)))
                .compose(read -> starts.isEmpty()
                        ? Future.succeededFuture(new StepPage(List.of(), Optional.empty()))
                        : fitting(question, starts, Math.min(question.limit(), starts.size()), pid));
    }

    /** Reads the ends of these steps; of half of them if they are too large together. */
    private Future<StepPage> fitting(
            ListSteps question, List<PositionedEvent> found, int count, Function<String, OptionalLong> pid) {
        List<PositionedEvent> starts = new ArrayList<>(found.subList(0, count));
        if (question.since().isEmpty()) {
            Collections.reverse(starts);
        }
        Steps steps = new Steps(question.runId());
        return vertx.executeBlocking(() -> steps.add(starts), false)
                .compose(begun -> events.each(
                        EventQuery.ofSteps(question.runId(), FINISHED, steps.ids),
                        part -> vertx.executeBlocking(() -> steps.add(part), false)))
                .compose(read -> steps.bytes > MOST_BYTES && count > 1
                        ? fitting(question, found, count / 2, pid)
                        : Future.succeededFuture(new StepPage(
                                steps.view.steps(pid),
                                found.size() > count
                                        ? Optional.of(question.next(sequence(starts, 0), sequence(starts, count - 1)))
                                        : Optional.empty())));
    }

    private static long sequence(List<PositionedEvent> events, int index) {
        return events.get(index).event().sequence();
    }

    /** Steps that are being read. */
    private static final class Steps {
        private final StepsView view;
        private final Set<String> ids = new HashSet<>();
        private long bytes;

        Steps(String runId) {
            this.view = new StepsView(runId);
        }

        /** Returns whether to continue reading. */
        boolean add(List<PositionedEvent> part) {
            for (PositionedEvent positioned : part) {
                StoredEvent event = positioned.event();
                ids.add(event.stepId());
                bytes += event.data().toString().length();
                view.add(event.type(), event.data(), event.at(), event.execution());
            }
            return bytes <= MOST_BYTES;
        }
    }

    /** Returns one step; empty if the run has no such step. */
    public Future<Optional<Step>> find(String runId, String stepId, Function<String, OptionalLong> pid) {
        Steps steps = new Steps(runId);
        return events.each(
                        EventQuery.ofSteps(runId, BOTH, Set.of(stepId)),
                        part -> vertx.executeBlocking(() -> steps.add(part), false))
                .map(read -> steps.view.steps(pid).stream().findFirst());
    }

    /** Two commits of a run. */
    public record Commits(String from, String to) {}

    /** Returns the commits before and after a step; twice the head of the run if the step changed nothing. */
    public Future<Commits> commits(String runId, String stepId, GitWork git) {
        return store.events(EventQuery.ofSteps(runId, COMMITTED, Set.of(stepId)))
                .map(found -> found.stream()
                        .map(commit -> commit.event().data())
                        .findFirst()
                        .map(commit -> new Commits(
                                commit.path("from").asText(),
                                commit.path("commit").asText()))
                        .orElseGet(() -> new Commits(git.head(), git.head())));
    }
}
