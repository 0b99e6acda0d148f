package dev.loopkeeper.agent;

import dev.loopkeeper.step.OwnRetry;
import java.util.Optional;

/**
 * What an agent told of its own tries so far.
 *
 * @param told how many of them
 * @param last the newest; absent once the agent got on, or when there was none
 */
public record OwnRetries(int told, Optional<OwnRetry> last) {
    /** None yet. */
    public static final OwnRetries NONE = new OwnRetries(0, Optional.empty());

    OwnRetries plus(OwnRetry retry) {
        return new OwnRetries(told + 1, Optional.of(retry));
    }

    OwnRetries overcome() {
        return last.isEmpty() ? this : new OwnRetries(told, Optional.empty());
    }
}
