package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;
import java.util.Locale;

/** Explains why a declared signal is invalid. */
public enum SignalDetail implements WireName {
    /** There is no file. */
    ABSENT,
    /** The file has no content. */
    EMPTY,
    /** Not one JSON object. */
    MALFORMED,
    /** A field has a wrong type or an unknown value, or no field rates the work. */
    SCHEMA_INVALID,
    /** It belongs to another attempt. */
    STALE;

    @Override
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
