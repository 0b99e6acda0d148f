package dev.loopkeeper.store.postgres;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Port: questions between nodes, by way of the database. One that is lost was never answered; it is not asked again by
 * itself. Every question may fail with {@link dev.loopkeeper.store.StoreAwayException}.
 */
public interface NodeMail {
    /** What another node asks. */
    record Question(long id, String channel, String body, long patienceMillis) {}

    /** Leaves a question for a node; answers with its number. */
    Future<Long> ask(String node, String channel, String body, long patienceMillis);

    /** Which of these are answered, by number; those are forgotten with that. */
    Future<Map<Long, String>> answers(Set<Long> ids);

    /** It is not waited for any more. */
    Future<Void> withdraw(long id);

    /** What this node has been asked, oldest first, each told once. */
    Future<List<Question>> take(String node, int limit);

    Future<Void> answer(long id, String answer);

    /** Calls {@code changed}, on any thread, when there may be new questions or answers; a hint that may be lost. */
    void watch(Runnable changed);

    /** Lets go of the connection. */
    Future<Void> close();
}
