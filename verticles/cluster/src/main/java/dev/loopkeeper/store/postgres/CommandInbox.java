package dev.loopkeeper.store.postgres;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Port: stores commands to runs of other nodes in the database, where the owner takes and answers them. Each method may
 * fail with {@link dev.loopkeeper.store.StoreUnavailableException}.
 */
public interface CommandInbox {
    /**
     * A command to a run.
     *
     * @param action what to do, e.g. {@code pause}
     * @param body JSON of the command
     */
    record Command(long id, String runId, String action, String body) {}

    /**
     * A command that this node has taken.
     *
     * @param epoch of the owner that took it
     * @param attemptedAfter sequence of the run before another owner took the command; empty if no other owner took it
     */
    record Taken(long epoch, OptionalLong attemptedAfter) {}

    /** Stores a command and returns its number. */
    Future<Long> ask(String runId, String action, String body, String askedBy);

    /** Returns the answers to those of these commands that have one, by number. */
    Future<Map<Long, String>> answers(Set<Long> ids);

    /** Deletes a command that no node has taken. Returns false if it was taken or answered. */
    Future<Boolean> withdraw(long id);

    /** Returns the unanswered commands to runs that this node owns, oldest first. */
    Future<List<Command>> open(String node, int limit);

    /** Takes a command for this node. Empty if the node does not own the run or the command is answered. */
    Future<Optional<Taken>> take(long id, String node);

    /** Stores the answer, unless another owner has taken the command since. */
    Future<Void> answer(long id, long epoch, String answer);

    /** Calls {@code changed}, on any thread, when there may be new commands or answers. A call may be lost. */
    void watch(Runnable changed);

    /** Closes the connection. */
    Future<Void> close();
}
