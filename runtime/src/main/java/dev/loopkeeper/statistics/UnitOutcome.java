package dev.loopkeeper.statistics;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What became of a unit of work: an item, or an iteration of a loop. */
public enum UnitOutcome {
    /** Good. */
    APPROVED,
    /** Judged not good. */
    REJECTED,
    /** It could not be done. */
    FAILED;

    /** The spelling in files and messages, e.g. {@code approved}. */
    @JsonValue
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
