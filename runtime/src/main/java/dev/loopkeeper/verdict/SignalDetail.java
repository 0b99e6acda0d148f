package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** Explains why a declared signal is invalid. */
public enum SignalDetail implements WireName.WithUnderscores {
    /** The file does not exist. */
    ABSENT,
    /** The file has no content. */
    EMPTY,
    /** The file is not one JSON object. */
    MALFORMED,
    /** A field has a wrong type or an unknown value, or no field rates the work. */
    SCHEMA_INVALID,
    /** The file belongs to another attempt. */
    STALE;
}
