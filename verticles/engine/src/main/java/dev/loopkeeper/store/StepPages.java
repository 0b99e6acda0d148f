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
        return store.events(EventQuery.oldest(runId, Set.of(FINISHED), after, CHUNK))
                .compose(found -> {
                    found.forEach(end -> {
                        add(view, end.event());
                        unfinished.remove(stepId(end.event()));
                    });
                    return found.size() < CHUNK
                            ? Future.succeededFuture()
                            : ends(runId, found.get(CHUNK - 1).event().sequence(), unfinished, view);
                });
    }

    /** One step; empty when the run has none of this id. */
    public Future<Optional<Step>> find(String runId, String stepId, Function<String, OptionalLong> pid) {
        EventQuery query = EventQuery.about(runId, Set.of(STARTED, FINISHED), stepId);
        return store.events(query).map(found -> {
            StepsView view = new StepsView(runId);
            found.stream()
                    .map(PositionedEvent::event)
                    .filter(event -> stepId(event).equals(stepId))
                    .forEach(event -> add(view, event));
            return view.steps(pid).steps().stream().findFirst();
        });
    }

    private static void add(StepsView view, StoredEvent event) {
        view.add(event.type(), event.data(), event.at(), event.execution());
    }

    private static String stepId(StoredEvent event) {
        return event.data().path("stepId").asText();
    }
}
