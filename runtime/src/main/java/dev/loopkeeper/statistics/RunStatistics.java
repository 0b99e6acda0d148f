package dev.loopkeeper.statistics;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * Counts over a run's units: items of {@code each} phases and iterations of loops.
 *
 * @param itemsTotal units known so far
 * @param ended units that ended
 * @param totalAttempts every attempt that was launched, including those lost to provider or network errors
 * @param consecutiveFails failed or rejected attempts since the last approval
 */
@JsonIgnoreProperties(
        value = {"retryRate", "rejectRate"},
        allowGetters = true)
// Java reflection returns methods in no fixed order.
@JsonPropertyOrder({"itemsTotal", "ended", "totalAttempts", "consecutiveFails", "retryRate", "rejectRate"})
@RecordBuilder
public record RunStatistics(int itemsTotal, @JsonUnwrapped Ended ended, int totalAttempts, int consecutiveFails)
        implements RunStatisticsBuilder.With {
    public static final RunStatistics NONE = new RunStatistics(0, new Ended(0, 0, 0, 0, 0), 0, 0);

    /**
     * Counts of ended units.
     *
     * @param itemsAttempted units that ended approved, rejected or failed
     * @param itemsRetried attempted units that took more than one attempt
     */
    public record Ended(int itemsAttempted, int itemsApproved, int itemsRejected, int itemsFailed, int itemsRetried) {
        private Ended counting(UnitOutcome outcome, int attempts, int by) {
            return new Ended(
                    Math.max(0, itemsAttempted + by),
                    Math.max(0, itemsApproved + (outcome == UnitOutcome.APPROVED ? by : 0)),
                    Math.max(0, itemsRejected + (outcome == UnitOutcome.REJECTED ? by : 0)),
                    Math.max(0, itemsFailed + (outcome == UnitOutcome.FAILED ? by : 0)),
                    Math.max(0, itemsRetried + (attempts > 1 ? by : 0)));
        }

        private double share(int part) {
            return itemsAttempted == 0 ? 0 : (double) part / itemsAttempted;
        }
    }

    /** Share of attempted units with more than one attempt; 0 when none was attempted. */
    @JsonProperty("retryRate")
    public double retryRate() {
        return ended.share(ended.itemsRetried());
    }

    /** Share of attempted units that were rejected or failed; 0 when none was attempted. */
    @JsonProperty("rejectRate")
    public double rejectRate() {
        return ended.share(ended.itemsRejected() + ended.itemsFailed());
    }

    /** Adds units to the total. */
    public RunStatistics plusUnits(int units) {
        return withItemsTotal(itemsTotal + units);
    }

    /** Adds a launched attempt. */
    public RunStatistics plusAttempt() {
        return withTotalAttempts(totalAttempts + 1);
    }

    /** Applies the outcome of an attempt to the streak of failures. */
    public RunStatistics afterAttempt(UnitOutcome outcome) {
        return withConsecutiveFails(outcome == UnitOutcome.APPROVED ? 0 : consecutiveFails + 1);
    }

    /** Adds an ended unit with its number of attempts. */
    public RunStatistics plusEnded(UnitOutcome outcome, int attempts) {
        return withEnded(ended.counting(outcome, attempts, 1));
    }

    /** Removes an ended unit that starts again. */
    public RunStatistics minusEnded(UnitOutcome outcome, int attempts) {
        return withEnded(ended.counting(outcome, attempts, -1));
    }

    /** Resets every count except the total of units. */
    public RunStatistics reset() {
        return NONE.plusUnits(itemsTotal);
    }
}
