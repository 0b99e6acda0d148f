package dev.loopkeeper.termination;

import dev.loopkeeper.json.WireName;

/** Defines what a resume must provide to make progress. */
public enum ResumeNeed implements WireName {
    /** A resume needs nothing. */
    NONE("none"),
    /** The run is completed; there is nothing to resume. */
    NEVER("never"),
    /** More iterations, or feedback. */
    ITERATIONS_OR_FEEDBACK("higher maxIterations, or feedback"),
    /** A higher cap on cost, tokens or turns. */
    BUDGET("a cap above what is spent"),
    /** More attempts, or items that start again. */
    ATTEMPTS_OR_RESET_ITEMS("higher maxAttempts, or resetItems"),
    /** A threshold that no longer applies. */
    THRESHOLD_OR_RESET_STATISTICS("a raised threshold, or resetStatistics"),
    FEEDBACK("feedback"),
    FEEDBACK_OR_MANIFEST("feedback, or a changed manifest"),
    MANIFEST("a changed manifest"),
    /** The blocking items start again. */
    RESET_BLOCKING_ITEMS("resetItems naming the blocking items"),
    /** A person's confirmation that the cause is fixed. */
    ACKNOWLEDGE("acknowledge");

    private final String wire;

    ResumeNeed(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
