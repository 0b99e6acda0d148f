package dev.loopkeeper.statistics;

import dev.loopkeeper.json.WireName;
import java.util.Locale;

/** The outcome of a unit of work: an item, or an iteration of a loop. */
public enum UnitOutcome implements WireName {
    APPROVED,
    REJECTED,
    FAILED;

    @Override
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
