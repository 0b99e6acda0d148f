package dev.loopkeeper.agent;

import dev.loopkeeper.step.OwnRetry;
import java.util.Optional;

/**
 * Counts an agent's own retries.
 *
 * @param count number of reported retries
 * @param last the newest; absent after the agent continued, or without a retry
 */
public record OwnRetries(int count, Optional<OwnRetry> last) {
    public static final OwnRetries NONE = new OwnRetries(0, Optional.empty());

    OwnRetries plus(OwnRetry retry) {
        return new OwnRetries(count + 1, Optional.of(retry));
    }

    OwnRetries overcome() {
        return last.isEmpty() ? this : new OwnRetries(count, Optional.empty());
    }
}
