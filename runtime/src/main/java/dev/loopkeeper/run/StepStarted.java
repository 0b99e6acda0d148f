package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * {@code step.started}: a step is to be launched; durable before it is.
 *
 * @param nonce marks this launch
 * @param opensAttempt whether it counts as a launched attempt
 */
@JsonTypeName("step.started")
public record StepStarted(
        String stepId,
        String phase,
        Optional<Integer> iteration,
        Optional<String> item,
        String agent,
        int attempt,
        String nonce,
        boolean opensAttempt,
        StepPosition slot)
        implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        OpenStep step = new OpenStep(
                stepId, slot, agent, attempt, nonce, at, Usage.UNKNOWN, Optional.empty(), false, Optional.empty());
        Cursor cursor = state.cursor().launched(StepIds.stem(slot, agent, attempt), lastStep());
        Ledger ledger = opensAttempt
                ? state.ledger().withStatistics(state.ledger().statistics().plusAttempt())
                : state.ledger();
        RunState launched = state.with(cursor.withWork(workAfter(cursor.work())))
                .with(ledger)
                .withSteps(Copies.plus(state.steps(), stepId, step))
                .withRetries(retriesAfter(state))
                .withReturns(returnsAfter(state));
        RunState running =
                launched.condition() instanceof Condition.Waiting ? launched.with(new Condition.Running()) : launched;
        return slot.item()
                .flatMap(id -> running.git().map(git -> running.with(git.launched(id))))
                .orElse(running);
    }

    @Override
    public String text() {
        return "step " + stepId + " started";
    }

    private Map<String, Retry> retriesAfter(RunState state) {
        Retry retry = state.retries().get(slot.key());
        return retry == null ? state.retries() : Copies.plus(state.retries(), slot.key(), retry.launched());
    }

    /** The one more attempt that a person's word led to is counted once. */
    private Map<String, Integer> returnsAfter(RunState state) {
        return state.returns().getOrDefault(slot.key(), 1) == 0
                ? Copies.minus(state.returns(), slot.key())
                : state.returns();
    }

    private Cursor.LastStep lastStep() {
        return new Cursor.LastStep(stepId, slot, attempt);
    }

    private Work workAfter(Work work) {
        return work instanceof EachWork each && slot.item().isPresent()
                ? each.with(each.item(slot.item().get()).withLaunch())
                : work;
    }
}
