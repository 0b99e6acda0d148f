package dev.loopkeeper.agent;

import dev.loopkeeper.step.ModelTokens;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * Reads a step's output in chunks of any size. No output makes it fail, and its memory is bounded. Not thread-safe; it
 * does not keep the chunks.
 */
public interface AgentOutputReader {
    void stdout(byte[] chunk, int offset, int length);

    void stderr(byte[] chunk, int offset, int length);

    /** The consumption of the step so far; totals of a final record replace the sum. */
    Usage usageSoFar();

    /** The tokens behind the usage by model, each counted once; empty when unknown. */
    default List<ModelTokens> tokens() {
        return List.of();
    }

    /** Whether the newest record is one of success, and no background task was open since. */
    default boolean hasSucceeded() {
        return false;
    }

    /** The agent's own retries so far. */
    default OwnRetries retries() {
        return OwnRetries.NONE;
    }

    /** Further facts for people; known after {@link #finish}. */
    default List<AgentNotice> notices() {
        return List.of();
    }

    /**
     * Reports the step's result. Called once, after the last chunk.
     *
     * @param now reference for reset times
     * @param zone of reset times that name none
     */
    AgentReport finish(ExitFacts exit, Instant now, ZoneId zone);
}
