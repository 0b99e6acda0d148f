package dev.loopkeeper.store;

import dev.loopkeeper.checkpoint.StepsView;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * The steps of a run, found by the events that tell of them: what is not asked for is not read. A step's place is the
 * sequence of the event that records its begin.
 */
public final class StepPages {
    private static final String STARTED = "step.started";
    private static final String FINISHED = "step.finished";
    private static final int CHUNK = 500;
    private static final int LEAST = 16;

    private final EventStore store;

    /** Those in this store. */
    public StepPages(EventStore store) {
        this.store = store;
    }

    /**
     * Which steps: the oldest after a place, or the newest before one.
     *
     * @param since absent: not those after a place
     * @param before absent: the newest of all
     * @param limit 1 or more
     */
    public record Range(OptionalLong since, OptionalLong before, int limit) {
        /** The newest of all. */
        public static Range newest(int limit) {
            return new Range(OptionalLong.empty(), OptionalLong.empty(), limit);
        }
    }

    /**
     * Some steps of one run, oldest first.
     *
     * @param open whether a step is known not to have ended: its end is not looked for
     * @param pid the process of a step that is open
     */
    public Future<StepPage> page(String runId, Range range, Set<String> open, Function<String, OptionalLong> pid) {
        return range.since().isPresent()
                ? after(runId, range.since().getAsLong(), range.limit(), open, pid)
                : before(runId, range.before().orElse(Long.MAX_VALUE), range.limit(), open, pid);
    }

    private Future<StepPage> after(
            String runId, long since, int limit, Set<String> open, Function<String, OptionalLong> pid) {
        return store.events(EventQuery.oldest(runId, Set.of(STARTED), since, limit))
                .compose(found -> page(runId, found, open, pid, since, since > 0));
    }

    private Future<StepPage> before(
            String runId, long before, int limit, Set<String> open, Function<String, OptionalLong> pid) {
        return store.events(EventQuery.newest(runId, Set.of(STARTED), before, limit + 1))
                .compose(found -> {
                    List<PositionedEvent> starts = new ArrayList<>(found.subList(0, Math.min(limit, found.size())));
                    Collections.reverse(starts);
                    return page(runId, starts, open, pid, 0, found.size() > limit);
                });
    }

    private Future<StepPage> page(
            String runId,
            List<PositionedEvent> starts,
            Set<String> open,
            Function<String, OptionalLong> pid,
            long since,
            boolean older) {
        if (starts.isEmpty()) {
            return Future.succeededFuture(new StepPage(List.of(), since, OptionalLong.empty()));
        }
        StepsView view = new StepsView(runId);
        Set<String> unfinished = new HashSet<>();
        starts.forEach(start -> {
            add(view, start.event());
            unfinished.add(stepId(start.event()));
        });
        unfinished.removeAll(open);
        long first = starts.get(0).event().sequence();
        long last = starts.get(starts.size() - 1).event().sequence();
        return ends(runId, first, unfinished, view)
                .map(read -> new StepPage(
                        view.steps(pid).steps(), last, older ? OptionalLong.of(first) : OptionalLong.empty()));
    }

    /** A step's end comes soon after its begin, so mostly one look finds those of a page. */
    private Future<Void> ends(String runId, long after, Set<String> unfinished, StepsView view) {
        if (unfinished.isEmpty()) {
            return Future.succeededFuture();
        }
        // Others' ends lie between theirs.
        int chunk = Math.min(CHUNK, LEAST + 2 * unfinished.size());
        return store.events(EventQuery.oldest(runId, Set.of(FINISHED), after, chunk))
                .compose(found -> {
                    found.forEach(end -> {
                        add(view, end.event());
                        unfinished.remove(stepId(end.event()));
                    });
                    return found.size() < chunk
                            ? Future.succeededFuture()
                            : ends(runId, found.get(chunk - 1).event().sequence(), unfinished, view);
                });
    }

    /**
     * One step; empty when the run has none of this id. Looked for from the end, since it is mostly one of the last, and
     * its end from its begin: what lies before it is not read.
     */
    public Future<Optional<Step>> find(String runId, String stepId, Function<String, OptionalLong> pid) {
        return store.events(EventQuery.newestAbout(runId, Set.of(STARTED), stepId))
                .compose(starts -> {
                    if (starts.isEmpty()) {
                        return Future.succeededFuture(Optional.empty());
                    }
                    long begin = starts.get(0).event().sequence();
                    return store.events(EventQuery.oldestAbout(runId, Set.of(FINISHED), stepId, begin))
                            .compose(ends -> areOf(stepId, starts) && areOf(stepId, ends)
                                    ? Future.succeededFuture(step(runId, starts, ends, pid))
                                    : findAmongAll(runId, stepId, pid));
                });
    }

    /** Another step may name this one, or its item have this name. */
    private Future<Optional<Step>> findAmongAll(String runId, String stepId, Function<String, OptionalLong> pid) {
        return store.events(EventQuery.about(runId, Set.of(STARTED, FINISHED), stepId))
                .map(found -> step(
                        runId,
                        found.stream()
                                .filter(event -> areOf(stepId, List.of(event)))
                                .toList(),
                        List.of(),
                        pid));
    }

    private static boolean areOf(String stepId, List<PositionedEvent> found) {
        return found.stream().allMatch(event -> stepId(event.event()).equals(stepId));
    }

    private static Optional<Step> step(
            String runId,
            List<PositionedEvent> starts,
            List<PositionedEvent> ends,
            Function<String, OptionalLong> pid) {
        StepsView view = new StepsView(runId);
        starts.forEach(event -> add(view, event.event()));
        ends.forEach(event -> add(view, event.event()));
        return view.steps(pid).steps().stream().findFirst();
    }

    private static void add(StepsView view, StoredEvent event) {
        view.add(event.type(), event.data(), event.at(), event.execution());
    }

    private static String stepId(StoredEvent event) {
        return event.data().path("stepId").asText();
    }
}
