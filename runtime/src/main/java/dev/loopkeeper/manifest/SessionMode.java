package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Whether a launch goes on in an earlier session of its agent. */
public enum SessionMode implements WireName {
    /** Each launch begins a session. */
    FRESH("fresh"),
    /** A launch that repeats work which was cut short goes on in the session of that work. */
    AFTER_INTERRUPTION("afterInterruption"),
    /** So does each next launch in the same loop, or in the same item. */
    CONTINUE("continue");

    private final String wire;

    SessionMode(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
