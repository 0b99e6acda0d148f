package dev.loopkeeper.statistics;

import dev.loopkeeper.json.WireName;
import java.util.Locale;

/** What became of a unit of work: an item, or an iteration of a loop. */
public enum UnitOutcome implements WireName {
    /** Good. */
    APPROVED,
    /** Judged not good. */
    REJECTED,
    /** It could not be done. */
    FAILED;

    @Override
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
