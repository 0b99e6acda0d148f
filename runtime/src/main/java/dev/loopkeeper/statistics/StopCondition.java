package dev.loopkeeper.statistics;

/** A threshold over the statistics, in the order of priority. */
public enum StopCondition {
    /** Launched attempts in all. */
    CIRCUIT_BREAKER(1),
    /** Failures in a row. */
    CONSECUTIVE_FAILS(2),
    /** Share of rejected or failed units. */
    REJECT_RATE(3),
    /** Share of units with more than one attempt. */
    RETRY_RATE(4);

    private final int priority;

    StopCondition(int priority) {
        this.priority = priority;
    }

    /** 1 to 4, 1 decides first. */
    public int priority() {
        return priority;
    }
}
