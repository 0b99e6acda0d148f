package dev.loopkeeper.termination;

import dev.loopkeeper.json.WireName;

/** What a resume must bring so that it can make progress. */
public enum ResumeNeed implements WireName {
    /** Nothing. */
    NONE("none"),
    /** The run is completed; there is nothing to resume. */
    NEVER("never"),
    /** More iterations, or a word about what to do otherwise. */
    ITERATIONS_OR_FEEDBACK("higher maxIterations, or feedback"),
    /** More money, tokens or turns. */
    BUDGET("a cap above what is spent"),
    /** More attempts, or items that start afresh. */
    ATTEMPTS_OR_RESET_ITEMS("higher maxAttempts, or resetItems"),
    /** A threshold that no longer holds. */
    THRESHOLD_OR_RESET_STATISTICS("a raised threshold, or resetStatistics"),
    /** A word about what to do otherwise. */
    FEEDBACK("feedback"),
    /** A word, or another plan. */
    FEEDBACK_OR_MANIFEST("feedback, or a changed manifest"),
    /** Another plan. */
    MANIFEST("a changed manifest"),
    /** The items in the way start afresh. */
    RESET_BLOCKING_ITEMS("resetItems naming the blocking items"),
    /** A person's word that the cause is fixed. */
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
