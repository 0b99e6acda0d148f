package dev.loopkeeper.run.progress;

import dev.loopkeeper.json.WireName;
import dev.loopkeeper.statistics.UnitOutcome;

/** The status of an item. */
public enum ItemStatus implements WireName {
    /** The item has not begun, or waits for a retry. */
    PENDING,
    /** An attempt is in progress. */
    RUNNING,
    /** Done. */
    APPROVED,
    /** The last attempt was rejected. */
    REJECTED,
    /** The last attempt failed. */
    FAILED,
    /** An item it depends on did not end approved. */
    BLOCKED;

    /** The status of an item whose last attempt ended so. */
    public static ItemStatus of(UnitOutcome outcome) {
        return valueOf(outcome.name());
    }

    /** Whether the item ended and only a resume can restart it. */
    public boolean isOver() {
        return this != PENDING && this != RUNNING;
    }
}
