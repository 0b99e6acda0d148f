package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * {@code step.finished}.
 *
 * @param pid absent when it never had one
 * @param consumed whether its place in the iteration or attempt is done; else it is launched again
 * @param note what it means for its iteration or attempt
 * @param costUnknown whether it had a cost that nobody told; absent in what was written before this was noted
 */
@JsonTypeName("step.finished")
public record StepFinished(
        String stepId,
        String phase,
        Optional<Integer> iteration,
        Optional<String> item,
        String agent,
        int attempt,
        OptionalLong pid,
        StepResult result,
        boolean consumed,
        StepPosition slot,
        StepSummary note,
        boolean costUnknown)
        implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        Ledger ledger = state.ledger();
        Usage used = result.usage().orElse(Usage.UNKNOWN);
        RunState ended = state.with(ledger.withSpent(agent, used, costUnknown)
                        .withDeliverable(result.deliverable())
                        .withVerdict(LastVerdict.of(note, at)))
                .withSteps(Copies.minus(state.steps(), stepId));
        if (slot.kind() == StepKind.ASIDE) {
            return ended.withAside(Optional.empty());
        }
        return consumed
                ? ended.with(workAfter(state.cursor().work()))
                        .withRetries(Copies.minus(state.retries(), slot.key()))
                        .withReturns(Copies.minus(state.returns(), slot.key()))
                : ended;
    }

    @Override
    public String text() {
        String exit =
                result.exitCode().isPresent() ? ", exit " + result.exitCode().getAsInt() : "";
        String error =
                result.errorContext().map(context -> ": " + context.message()).orElse("");
        return "step " + stepId + " " + result.status().wire() + exit + ", " + result.durationMs() + " ms" + error;
    }

    private Work workAfter(Work work) {
        if (work instanceof LoopWork loop && loop.current().isPresent()) {
            return loop.withCurrent(loop.current().get().after(slot.index(), note));
        }
        if (work instanceof EachWork each && slot.item().isPresent()) {
            return each.with(each.item(slot.item().get()).after(slot.index(), note));
        }
        boolean task = slot.kind() == StepKind.TASK && work instanceof Work.Single;
        return task ? new Work.Single(note.outcome() == UnitOutcome.APPROVED) : work;
    }
}
