package dev.loopkeeper.run;

import dev.loopkeeper.manifest.PhaseSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that is true of a run. Changes only by {@link RunEvent#apply}.
 *
 * @param nonce marks the run's processes; each step's own is built from it
 * @param sequence of the last event
 * @param limits in force
 * @param steps those that are open, by step id
 * @param retries that are due or will be, by slot key
 * @param pauses what pauses the run as soon as no step is open, first come first; nothing new is launched meanwhile
 * @param aside the action whose agent is being consulted, with the pause it was chosen in
 */
public record RunState(
        String runId,
        Plan plan,
        Instant createdAt,
        String nonce,
        long sequence,
        Condition condition,
        List<Execution> executions,
        Limits limits,
        Cursor cursor,
        Map<String, OpenStep> steps,
        Map<String, Retry> retries,
        List<Pause> pauses,
        Optional<Aside> aside,
        Ledger ledger) {

    /** A consultation under way. */
    public record Aside(dev.loopkeeper.termination.ResumeAction action, String agent, Pause pause) {}

    /** The one word for where it stands. */
    public RunStatus status() {
        return condition.status();
    }

    /** The number of the present or last execution, 1 before the first. */
    public int execution() {
        return Math.max(1, executions.size());
    }

    /** The phase it is in; absent when all are complete. */
    public Optional<PhaseSpec> phase() {
        int index = cursor.phaseIndex();
        List<PhaseSpec> phases = plan.manifest().phases();
        return index < phases.size() ? Optional.of(phases.get(index)) : Optional.empty();
    }

    /** Whether nothing new may be launched. */
    boolean holdsBack() {
        return !pauses.isEmpty() || condition instanceof Condition.Stopping;
    }

    /** All that was used so far, open steps included. */
    public Spending spending() {
        Spending sum = ledger.spent();
        for (OpenStep step : steps.values()) {
            sum = sum.plus(step.usage());
        }
        return sum;
    }

    RunState next() {
        return new RunState(
                runId,
                plan,
                createdAt,
                nonce,
                sequence + 1,
                condition,
                executions,
                limits,
                cursor,
                steps,
                retries,
                pauses,
                aside,
                ledger);
    }

    RunState with(Condition changed) {
        return new RunState(
                runId,
                plan,
                createdAt,
                nonce,
                sequence,
                changed,
                executions,
                limits,
                cursor,
                steps,
                retries,
                pauses,
                aside,
                ledger);
    }

    RunState with(Cursor changed) {
        return new RunState(
                runId,
                plan,
                createdAt,
                nonce,
                sequence,
                condition,
                executions,
                limits,
                changed,
                steps,
                retries,
                pauses,
                aside,
                ledger);
    }

    RunState with(Work changed) {
        return with(cursor.withWork(changed));
    }

    RunState with(Ledger changed) {
        return new RunState(
                runId,
                plan,
                createdAt,
                nonce,
                sequence,
                condition,
                executions,
                limits,
                cursor,
                steps,
                retries,
                pauses,
                aside,
                changed);
    }

    RunState with(Limits changed) {
        return new RunState(
                runId,
                plan,
                createdAt,
                nonce,
                sequence,
                condition,
                executions,
                changed,
                cursor,
                steps,
                retries,
                pauses,
                aside,
                ledger);
    }

    RunState withExecutions(List<Execution> changed) {
        return new RunState(
                runId, plan, createdAt, nonce, sequence, condition, changed, limits, cursor, steps, retries, pauses,
                aside, ledger);
    }

    RunState withSteps(Map<String, OpenStep> changed) {
        return new RunState(
                runId,
                plan,
                createdAt,
                nonce,
                sequence,
                condition,
                executions,
                limits,
                cursor,
                changed,
                retries,
                pauses,
                aside,
                ledger);
    }

    RunState withRetries(Map<String, Retry> changed) {
        return new RunState(
                runId,
                plan,
                createdAt,
                nonce,
                sequence,
                condition,
                executions,
                limits,
                cursor,
                steps,
                changed,
                pauses,
                aside,
                ledger);
    }

    RunState withPauses(List<Pause> changed) {
        return new RunState(
                runId,
                plan,
                createdAt,
                nonce,
                sequence,
                condition,
                executions,
                limits,
                cursor,
                steps,
                retries,
                changed,
                aside,
                ledger);
    }

    RunState withAside(Optional<Aside> changed) {
        return new RunState(
                runId,
                plan,
                createdAt,
                nonce,
                sequence,
                condition,
                executions,
                limits,
                cursor,
                steps,
                retries,
                pauses,
                changed,
                ledger);
    }
}
