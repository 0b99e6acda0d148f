package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines whether a launch continues an earlier session of its agent. */
public enum SessionMode implements WireName {
    /** Each launch begins a new session. */
    FRESH("fresh"),
    /** A launch that repeats interrupted work continues the session of that work. */
    AFTER_INTERRUPTION("afterInterruption"),
    /** In addition, each launch in the same loop or item continues the previous session. */
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
