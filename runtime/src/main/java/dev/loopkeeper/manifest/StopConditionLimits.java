package dev.loopkeeper.manifest;

/**
 * Thresholds over a run's statistics. Zero turns one off.
 *
 * @param maxRetryRate share of attempted units with more than one attempt, 0 to 1; default 0.5
 * @param maxRejectRate share of attempted units that were rejected or failed, 0 to 1; default 0.3
 * @param maxConsecutiveFails failed or rejected attempts in a row; default 3
 * @param circuitBreaker launches of agents in all; default 50, more if the manifest's limits allow more
 * @param minAttempted attempted units before the rates apply; default 3
 */
public record StopConditionLimits(
        double maxRetryRate, double maxRejectRate, int maxConsecutiveFails, int circuitBreaker, int minAttempted) {
    public static final StopConditionLimits DEFAULTS = new StopConditionLimits(0.5, 0.3, 3, 50, 3);

    /** Returns a copy with another circuit breaker. */
    public StopConditionLimits breakingAt(int launches) {
        return new StopConditionLimits(maxRetryRate, maxRejectRate, maxConsecutiveFails, launches, minAttempted);
    }
}
