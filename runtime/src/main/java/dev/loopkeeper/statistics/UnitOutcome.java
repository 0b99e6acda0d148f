package dev.loopkeeper.statistics;

import dev.loopkeeper.json.WireName;

/** The outcome of a unit of work: an item, or an iteration of a loop. */
public enum UnitOutcome implements WireName {
    APPROVED,
    REJECTED,
    FAILED;
}
