package dev.loopkeeper.store;

import io.vertx.core.Future;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/** Reads all that a query asks for, one bounded part after the other. */
public final class EventPages {
    /** Rows of one read. */
    private static final int ROWS = 500;

    private final EventStore store;

    /** Reads this store. */
    public EventPages(EventStore store) {
        this.store = store;
    }

    /**
     * Hands over the events part by part, in the order asked for, until there are no more.
     *
     * @param part takes some events; the next ones are read when its future completes with true, and none when it is
     *     false
     */
    public Future<Void> each(EventQuery query, Function<List<PositionedEvent>, Future<Boolean>> part) {
        int rows = Math.min(ROWS, query.limit().orElse(ROWS));
        return store.events(query.of(OptionalInt.of(rows)))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture()
                        : part.apply(found)
                                .compose(more -> more && left(query, found) > 0
                                        ? each(behind(query, found), part)
                                        : Future.succeededFuture()));
    }

    private static int left(EventQuery query, List<PositionedEvent> found) {
        return query.limit().orElse(Integer.MAX_VALUE) - found.size();
    }

    private static EventQuery behind(EventQuery query, List<PositionedEvent> found) {
        OptionalInt left = query.limit().isPresent() ? OptionalInt.of(left(query, found)) : query.limit();
        return query.behind(found.get(found.size() - 1).event().sequence()).of(left);
    }
}
