package dev.loopkeeper.store.postgres;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Port: commands to runs that another node owns, recorded in the database, carried out by the owner and answered there.
 * Every question may fail with {@link dev.loopkeeper.store.StoreAwayException}.
 */
public interface CommandInbox {
    /**
     * What is asked of a run.
     *
     * @param body JSON of the command
     */
    record Command(long id, String runId, String verb, String body) {}

    /**
     * A command that is this node's to carry out.
     *
     * @param again after which sequence of the run another owner may have carried it out before it lost the run; empty:
     *     nobody has tried
     */
    record Taken(long epoch, OptionalLong again) {}

    /** Records a command; answers with its number. */
    Future<Long> ask(String runId, String verb, String body, String askedBy);

    /** Which of these are answered, by number. */
    Future<Map<Long, String>> answers(Set<Long> ids);

    /** Nobody is to carry this out any more. False: it is taken or answered already. */
    Future<Boolean> withdraw(long id);

    /** What is not answered of the runs that this node owns, oldest first. */
    Future<List<Command>> open(String node, int limit);

    /** Makes it the node's to carry out, if it still owns the run and the command still waits; else empty. */
    Future<Optional<Taken>> take(long id, String node);

    /** Answers it, if it is still this owner's. */
    Future<Void> answer(long id, long epoch, String answer);

    /** Calls {@code changed}, on any thread, when there may be new commands or answers; a hint that may be lost. */
    void watch(Runnable changed);

    /** Lets go of the connection. */
    Future<Void> close();
}
