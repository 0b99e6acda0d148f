package dev.loopkeeper.policy;

import dev.loopkeeper.json.WireName;

/** The length of a cap's window, by the calendar of its zone; a week is that of ISO 8601. */
public enum Window implements WireName {
    HOUR,
    DAY,
    WEEK,
    MONTH
}
