package dev.loopkeeper.store.postgres;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Port: requests from node to node, stored in the database. A lost request is never repeated. Each method may fail with
 * {@link dev.loopkeeper.store.StoreUnavailableException}.
 */
public interface NodeRequests {
    /** A request from another node. */
    record Request(long id, String channel, String body, long patienceMillis) {}

    /** Stores a request for a node and returns its number. */
    Future<Long> ask(String node, String channel, String body, long patienceMillis);

    /** Returns and deletes the answers to those of these requests that have one, by number. */
    Future<Map<Long, String>> answers(Set<Long> ids);

    /** Deletes a request whose caller no longer waits. */
    Future<Void> withdraw(long id);

    /** Takes requests to this node, oldest first. Each request is returned once. */
    Future<List<Request>> take(String node, int limit);

    Future<Void> answer(long id, String answer);

    /** Calls {@code changed}, on any thread, when there may be new requests or answers. A call may be lost. */
    void watch(Runnable changed);

    /** Closes the connection. */
    Future<Void> close();
}
