package dev.loopkeeper.termination;

import java.util.Map;

/**
 * Carries an abnormal ending through embedding code, which reads the reason without matching text: the failure of
 * {@code Loopkeeper.awaitSuccess}.
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

    /** Why, for people. */
    public String summary() {
        return getMessage();
    }

    /** Further facts. */
    public Map<String, String> metadata() {
        return metadata;
    }
}
