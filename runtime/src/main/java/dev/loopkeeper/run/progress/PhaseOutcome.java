package dev.loopkeeper.run.progress;

import dev.loopkeeper.json.WireName;

/** The outcome of a phase. */
public enum PhaseOutcome implements WireName {
    /** The phase succeeded. */
    PASSED,
    /** A gate passed with a warning. */
    WARNED,
    /** The phase failed; it is not critical, or it is retried. */
    FAILED,
    /** A person finished the phase as if it had succeeded. */
    FINISHED,
    /** A person waived the gate by name. */
    WAIVED;
}
