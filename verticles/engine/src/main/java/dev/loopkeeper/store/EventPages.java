package dev.loopkeeper.store;

import io.vertx.core.Future;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/** Reads all events of a query in bounded parts. */
public final class EventPages {
    /** Rows of one part. */
    private static final int ROWS = 500;

    private final EventStore store;

    /** Reads from this store. */
    public EventPages(EventStore store) {
        this.store = store;
    }

    /**
     * Passes the events part by part, in the order of the query.
     *
     * @param part receives some events; its result says whether to continue
     */
    public Future<Void> each(EventQuery query, Function<List<PositionedEvent>, Future<Boolean>> part) {
        int rows = Math.min(ROWS, query.limit().orElse(ROWS));
        return store.events(query.of(OptionalInt.of(rows)))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture()
                        : part.apply(found)
                                .compose(more -> more && left(query, found) > 0
                                        ? each(following(query, found), part)
                                        : Future.succeededFuture()));
    }

    private static int left(EventQuery query, List<PositionedEvent> found) {
        return query.limit().orElse(Integer.MAX_VALUE) - found.size();
    }

    private static EventQuery following(EventQuery query, List<PositionedEvent> found) {
        OptionalInt left = query.limit().isPresent() ? OptionalInt.of(left(query, found)) : query.limit();
        return query.following(found.get(found.size() - 1).event().sequence()).of(left);
    }
}
