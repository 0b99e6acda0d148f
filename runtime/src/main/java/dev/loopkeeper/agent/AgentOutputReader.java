package dev.loopkeeper.agent;

import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.time.ZoneId;

/**
 * Reads one step's output as it comes, cut anywhere. Nothing in the output makes it fail, and its memory is bounded
 * whatever comes. Not thread-safe; the bytes are not kept.
 */
public interface AgentOutputReader {
    /** The next bytes of standard output. */
    void stdout(byte[] chunk, int offset, int length);

    /** The next bytes of standard error. */
    void stderr(byte[] chunk, int offset, int length);

    /** What the step consumed as far as it is known by now; a final record's totals replace what was summed before. */
    Usage usageSoFar();

    /** Whether the agent's last record so far is a final one of success. */
    default boolean hasSucceeded() {
        return false;
    }

    /** What the agent told of its own tries so far. */
    default OwnRetries retries() {
        return OwnRetries.NONE;
    }

    /**
     * What the step came to. Called once, after the last bytes.
     *
     * @param now against which reset times are read
     * @param zone of reset times that name none
     */
    AgentReport finish(ExitFacts exit, Instant now, ZoneId zone);
}
