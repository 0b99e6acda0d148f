package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** Explains why a declared signal is invalid. */
public enum SignalDetail implements WireName {
    /** There is no file. */
    ABSENT("absent"),
    /** The file has no content. */
    EMPTY("empty"),
    /** Not one JSON object. */
    MALFORMED("malformed"),
    /** A field has a wrong type or an unknown value, or no field rates the work. */
    SCHEMA_INVALID("schema_invalid"),
    /** It belongs to another attempt. */
    STALE("stale");

    private final String wire;

    SignalDetail(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
