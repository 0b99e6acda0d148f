package dev.loopkeeper.termination;

import java.util.Map;

/** Reports an abnormal ending to embedding code, with a typed reason. {@code Loopkeeper.awaitSuccess} fails with it. */
public final class TerminalExhaustionException extends RuntimeException {
    private final transient TerminationReason reason;
    private final Map<String, String> metadata;

    /**
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

    /** The summary for people. */
    public String summary() {
        return getMessage();
    }

    /** Further facts. */
    public Map<String, String> metadata() {
        return metadata;
    }
}
