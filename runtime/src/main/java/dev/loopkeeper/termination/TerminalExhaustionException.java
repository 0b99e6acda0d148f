package dev.loopkeeper.termination;

import java.util.Map;

/**
 * Carries a terminal exhaustion through embedding code: whoever throws it from a hook or reads it from a failed
 * future learns the reason without matching text.
 */
public final class TerminalExhaustionException extends RuntimeException {
    private final transient TerminationReason reason;
    private final Map<String, String> metadata;

    /**
     * Says why and where.
     *
     * @param summary for people
     * @param metadata further facts, e.g. {@code runId}, {@code phase}; may be empty
     */
    public TerminalExhaustionException(TerminationReason reason, String summary, Map<String, String> metadata) {
        super(summary);
        this.reason = reason;
        this.metadata = Map.copyOf(metadata);
    }

    /** The typed reason. */
    public TerminationReason reason() {
        return reason;
    }

    /** Further facts. */
    public Map<String, String> metadata() {
        return metadata;
    }
}
