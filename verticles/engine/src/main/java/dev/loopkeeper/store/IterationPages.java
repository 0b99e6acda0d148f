package dev.loopkeeper.store;

import dev.loopkeeper.checkpoint.IterationsView;
import dev.loopkeeper.view.IterationPage;
import dev.loopkeeper.view.IterationRow;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads pages of a run's iterations backwards, by the events that begin them. It reads no events before the page, and
 * none after the loop has ended. Processes events on workers.
 */
public final class IterationPages {
    private static final int CHUNK = 500;
    private static final int LEAST = 16;
    private static final int EVENTS_OF_ITERATION = 6;

    private final Vertx vertx;
    private final EventStore store;

    /** Reads from this store. */
    public IterationPages(Vertx vertx, EventStore store) {
        this.vertx = vertx;
        this.store = store;
    }

    /**
     * Returns the newest iterations before an event, oldest first.
     *
     * @param before sequence of the event that begins an iteration; absent: the newest of all
     * @param limit 1 or more
     */
    public Future<IterationPage> page(String runId, OptionalLong before, int limit) {
        long end = before.orElse(Long.MAX_VALUE);
        List<Long> found = new ArrayList<>();
        EventQuery newest = EventQuery.newest(runId, Set.of(IterationsView.BEGIN), end, limit + 1);
        return new EventPages(store)
                .each(newest, part -> {
                    part.forEach(begin -> found.add(begin.event().sequence()));
                    return Future.succeededFuture(true);
                })
                .compose(read -> {
                    List<Long> begins = new ArrayList<>(found.subList(0, Math.min(limit, found.size())));
                    Collections.reverse(begins);
                    Optional<String> next =
                            found.size() > limit ? Optional.of(Long.toString(begins.get(0))) : Optional.empty();
                    return new Page(runId, end, begins).rows().map(rows -> new IterationPage(rows, next));
                });
    }

    /** A page that is being read. */
    private final class Page {
        private final String runId;
        private final long end;
        private final List<Long> begins;
        private final IterationsView view = new IterationsView();

        Page(String runId, long end, List<Long> begins) {
            this.runId = runId;
            this.end = end;
            this.begins = begins;
        }

        Future<List<IterationRow>> rows() {
            return begins.isEmpty()
                    ? Future.succeededFuture(List.of())
                    : read(begins.get(0) - 1).map(read -> view.rows());
        }

        private Future<Void> read(long after) {
            int chunk = Math.min(CHUNK, LEAST + EVENTS_OF_ITERATION * begins.size());
            EventQuery query = EventQuery.between(runId, IterationsView.TYPES, after, end, chunk);
            return store.events(query)
                    .compose(found -> vertx.executeBlocking(() -> gather(found), false))
                    .compose(next -> next.isPresent() ? read(next.getAsLong()) : Future.succeededFuture());
        }

        /** Returns where to continue; empty at the end. */
        private OptionalLong gather(List<PositionedEvent> found) {
            for (PositionedEvent positioned : found) {
                StoredEvent event = positioned.event();
                if (event.type().equals(IterationsView.LEFT)) {
                    return beforeNext(event.sequence());
                }
                view.add(event.sequence(), event.type(), event.data(), event.at(), event.execution());
            }
            return found.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(found.get(found.size() - 1).event().sequence());
        }

        /** Other phases may lie between two loops. */
        private OptionalLong beforeNext(long left) {
            return begins.stream()
                    .filter(begin -> begin > left)
                    .mapToLong(begin -> begin - 1)
                    .findFirst();
        }
    }
}
