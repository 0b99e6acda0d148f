package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.Json;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunPage;
import dev.loopkeeper.store.RunQuery;
import dev.loopkeeper.store.RunRow;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The first message of a feed. Runs are taken from the store and not from the scheduler: a row changes together with
 * its events, so it is never older than a position that was read before it.
 */
final class Snapshots {
    private static final int PAGE = 1000;

    private final EventStore store;
    private final int newest;

    Snapshots(EventStore store, int newest) {
        this.store = store;
        this.newest = newest;
    }

    /** {@code {"type":"snapshot","cursor":"41","runs":[...]}}, newest run first. */
    Future<String> take(FeedFilter filter, long cursor) {
        Future<List<RunRow>> rows = filter.runs().isEmpty() ? openAndNewest() : named(filter.runs());
        return rows.map(found -> message(cursor, found));
    }

    private Future<List<RunRow>> named(Set<String> runIds) {
        List<Future<Optional<RunRow>>> found = runIds.stream().map(store::find).toList();
        return Future.all(found)
                .map(all -> found.stream()
                        .flatMap(row -> row.result().stream())
                        .sorted(Comparator.comparing(RunRow::createdAt).reversed())
                        .toList());
    }

    private Future<List<RunRow>> openAndNewest() {
        return open(new ArrayList<>(), Optional.empty())
                .compose(open -> newest == 0
                        ? Future.succeededFuture(open)
                        : store.list(new RunQuery(Set.of(), newest, Optional.empty()))
                                .map(page -> merged(open, page.runs())));
    }

    private Future<List<RunRow>> open(List<RunRow> soFar, Optional<String> cursor) {
        return store.list(new RunQuery(RunStates.OPEN, PAGE, cursor)).compose(page -> {
            soFar.addAll(page.runs());
            return hasMore(page) ? open(soFar, page.nextCursor()) : Future.succeededFuture(soFar);
        });
    }

    private static boolean hasMore(RunPage page) {
        return page.nextCursor().isPresent() && !page.runs().isEmpty();
    }

    private static List<RunRow> merged(Collection<RunRow> open, Collection<RunRow> newest) {
        Map<String, RunRow> byId = new LinkedHashMap<>();
        open.forEach(row -> byId.put(row.runId(), row));
        newest.forEach(row -> byId.put(row.runId(), row));
        return byId.values().stream()
                .sorted(Comparator.comparing(RunRow::createdAt).reversed())
                .toList();
    }

    private static String message(long cursor, List<RunRow> rows) {
        ObjectNode message = Json.MAPPER.createObjectNode();
        message.put("type", "snapshot").put("cursor", Long.toString(cursor));
        ArrayNode runs = message.putArray("runs");
        rows.forEach(row -> runs.add(row.view()));
        return message.toString();
    }
}
