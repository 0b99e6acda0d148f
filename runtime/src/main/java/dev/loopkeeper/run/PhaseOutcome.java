package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;

/** How a phase was left. */
public enum PhaseOutcome implements WireName {
    /** It did what it is for. */
    PASSED("passed"),
    /** A gate passed with a warning. */
    WARNED("warned"),
    /** It did not, and that is not critical, or it is tried again. */
    FAILED("failed"),
    /** A person left it as if it had succeeded. */
    FINISHED("finished"),
    /** A person let a gate go by its name. */
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
