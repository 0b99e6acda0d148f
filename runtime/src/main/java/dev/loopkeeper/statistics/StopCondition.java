package dev.loopkeeper.statistics;

/** A threshold on the statistics; the values are in the order of priority. */
public enum StopCondition {
    /** Launched attempts in total. */
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

    /** 1 to 4; 1 has the highest priority. */
    public int priority() {
        return priority;
    }
}
