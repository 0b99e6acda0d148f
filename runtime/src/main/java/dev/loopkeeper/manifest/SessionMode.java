package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines whether a launch continues an earlier session of its agent. */
public enum SessionMode implements WireName {
    /** Each launch begins a new session. */
    FRESH,
    /** A launch that repeats interrupted work continues the session of that work. */
    AFTER_INTERRUPTION,
    /** In addition, each launch in the same loop or item continues the previous session. */
    CONTINUE;

    @Override
    public String wire() {
        return this == AFTER_INTERRUPTION ? "afterInterruption" : WireName.super.wire();
    }
}
