package dev.loopkeeper.statistics;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Counts over a run's units: items of {@code each} phases and iterations of loops.
 *
 * @param itemsTotal units known so far
 * @param itemsAttempted units that ended approved, rejected or failed
 * @param itemsRetried attempted units that took more than one attempt
 * @param totalAttempts every attempt that was launched, also those lost to provider or network errors
 * @param consecutiveFails failed or rejected attempts since the last approval
 */
@JsonIgnoreProperties(
        value = {"retryRate", "rejectRate"},
        allowGetters = true)
// The reflection of Java gives methods in no fixed order.
@JsonPropertyOrder({
    "itemsTotal",
    "itemsAttempted",
    "itemsApproved",
    "itemsRejected",
    "itemsFailed",
    "itemsRetried",
    "totalAttempts",
    "consecutiveFails",
    "retryRate",
    "rejectRate"
})
public record RunStatistics(
        int itemsTotal,
        int itemsAttempted,
        int itemsApproved,
        int itemsRejected,
        int itemsFailed,
        int itemsRetried,
        int totalAttempts,
        int consecutiveFails) {
    /** Nothing counted yet. */
    public static final RunStatistics NONE = new RunStatistics(0, 0, 0, 0, 0, 0, 0, 0);

    /** Attempted units with more than one attempt, as a share of the attempted; 0 when none was attempted. */
    @JsonProperty("retryRate")
    public double retryRate() {
        return share(itemsRetried);
    }

    /** Rejected or failed units, as a share of the attempted; 0 when none was attempted. */
    @JsonProperty("rejectRate")
    public double rejectRate() {
        return share(itemsRejected + itemsFailed);
    }

    private double share(int part) {
        return itemsAttempted == 0 ? 0 : (double) part / itemsAttempted;
    }

    /** With so many more units known. */
    public RunStatistics plusUnits(int units) {
        return new RunStatistics(
                itemsTotal + units,
                itemsAttempted,
                itemsApproved,
                itemsRejected,
                itemsFailed,
                itemsRetried,
                totalAttempts,
                consecutiveFails);
    }

    /** With one more launched attempt. */
    public RunStatistics plusAttempt() {
        return new RunStatistics(
                itemsTotal,
                itemsAttempted,
                itemsApproved,
                itemsRejected,
                itemsFailed,
                itemsRetried,
                totalAttempts + 1,
                consecutiveFails);
    }

    /** With the outcome of one attempt in the streak. */
    public RunStatistics afterAttempt(UnitOutcome outcome) {
        return withStreak(outcome == UnitOutcome.APPROVED ? 0 : consecutiveFails + 1);
    }

    /** With a fresh streak. */
    public RunStatistics withStreak(int streak) {
        return new RunStatistics(
                itemsTotal,
                itemsAttempted,
                itemsApproved,
                itemsRejected,
                itemsFailed,
                itemsRetried,
                totalAttempts,
                streak);
    }

    /** With one unit ended after so many attempts. */
    public RunStatistics plusEnded(UnitOutcome outcome, int attempts) {
        return counting(outcome, attempts, 1);
    }

    /** With one ended unit taken back, because it starts afresh. */
    public RunStatistics minusEnded(UnitOutcome outcome, int attempts) {
        return counting(outcome, attempts, -1);
    }

    private RunStatistics counting(UnitOutcome outcome, int attempts, int by) {
        return new RunStatistics(
                itemsTotal,
                Math.max(0, itemsAttempted + by),
                Math.max(0, itemsApproved + (outcome == UnitOutcome.APPROVED ? by : 0)),
                Math.max(0, itemsRejected + (outcome == UnitOutcome.REJECTED ? by : 0)),
                Math.max(0, itemsFailed + (outcome == UnitOutcome.FAILED ? by : 0)),
                Math.max(0, itemsRetried + (attempts > 1 ? by : 0)),
                totalAttempts,
                consecutiveFails);
    }

    /** With every count at 0 but that of the units known. */
    public RunStatistics reset() {
        return NONE.plusUnits(itemsTotal);
    }
}
