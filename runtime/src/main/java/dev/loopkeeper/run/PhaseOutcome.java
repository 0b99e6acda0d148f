package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;

/** The outcome of a phase. */
public enum PhaseOutcome implements WireName {
    /** The phase succeeded. */
    PASSED("passed"),
    /** A gate passed with a warning. */
    WARNED("warned"),
    /** The phase failed; it is not critical, or it is retried. */
    FAILED("failed"),
    /** A person finished the phase as if it had succeeded. */
    FINISHED("finished"),
    /** A person waived the gate by name. */
    WAIVED("waived");

    private final String wire;

    PhaseOutcome(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
