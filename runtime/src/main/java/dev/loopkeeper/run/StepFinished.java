package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.LastVerdict;
import dev.loopkeeper.run.step.OfStep;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.step.BoundedText;
import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * {@code step.finished}.
 *
 * @param pid absent when the step never had a process
 * @param consumed whether its position in the iteration or attempt is done; otherwise the step is launched again
 * @param note its summary for the iteration or attempt
 * @param costUnknown whether it had an unreported cost; absent in older records
 * @param session the session that the agent's next launch may continue
 * @param unattendedMs how long before this event the step ended while no runtime ran; absent if a runtime ran
 */
@JsonTypeName("step.finished")
public record StepFinished(
        String stepId,
        String agent,
        int attempt,
        OptionalLong pid,
        StepResult result,
        boolean consumed,
        @JsonProperty("slot") StepPosition position,
        StepSummary note,
        boolean costUnknown,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<EarlierSession> session,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Long> unattendedMs)
        implements RunEvent, OfStep {
    private static final Set<FailureKind> VERDICTS = Set.of(FailureKind.ANOMALY, FailureKind.REJECTED);

    @Override
    public RunState apply(RunState state, Instant at) {
        Ledger ledger = state.ledger();
        Usage used = result.usage().orElse(Usage.UNKNOWN);
        RunState remembered = remembered(state, at);
        RunState ended = unattendedMs
                .map(millis -> remembered.unattended(millis, at))
                .orElse(remembered)
                .withLedger(ledger.plusSpent(agent, used, costUnknown)
                        .submitted(result.deliverable())
                        .withLatest(rating(ledger, at))
                        .confined(result.sandbox()))
                .withSteps(Copies.minus(state.steps(), stepId))
                .withAsks(state.asks().stream()
                        .map(ask -> ask.stepId().equals(stepId) ? ask.afterStep() : ask)
                        .toList());
        if (position.kind() == StepKind.CONSULTATION) {
            return ended.withConsultation(Optional.empty());
        }
        return consumed
                ? ended.withWork(workAfter(ended.cursor().work()))
                        .withRetries(Copies.minus(state.retries(), position.key()))
                        .withAutomaticResumes(Copies.minus(state.automaticResumes(), position.key()))
                        .withOverflows(overflows(state))
                : ended;
    }

    /** A success resets the count. */
    private Map<String, Integer> overflows(RunState state) {
        return result.status() == StepStatus.COMPLETED
                ? Copies.minus(state.overflows(), RunState.overflowKey(phase(), agent))
                : state.overflows();
    }

    @Override
    public String text() {
        String exit =
                result.exitCode().isPresent() ? ", exit " + result.exitCode().getAsInt() : "";
        String error =
                result.errorContext().map(context -> ": " + context.message()).orElse("");
        String rejected = rejection().map(why -> ": " + why).orElse("");
        return "step " + stepId + " " + result.status().wire() + exit + ", " + result.durationMs() + " ms" + error
                + rejected;
    }

    /** Why its work is rejected although the agent may have ended well: it changed protected files. */
    public Optional<String> rejection() {
        return Optional.ofNullable(note)
                .flatMap(StepSummary::failure)
                .filter(failure -> failure.kind() == FailureKind.REJECTED
                        && !failure.files().isEmpty())
                .map(Failure::message);
    }

    /** Records earlier results for later launches. */
    private RunState remembered(RunState state, Instant at) {
        Optional<LaunchContext.Last> verdict = verdict(at);
        EarlierTries tries = state.tries(phase(), item()).withLatest(verdict);
        boolean kept = position.kind() != StepKind.CHECK && position.kind() != StepKind.CONSULTATION;
        tries = kept ? tries.keeping(agent, session) : tries;
        EarlierTries counted = position.isWork() ? tries.costing(result.costUsd()) : tries;
        if (consumed && kept && !position.isWork()) { // one step is the complete try
            counted = counted.rated(Verdict.of(note.outcome()), state.phase().orElseThrow(), state.manifest());
        }
        RunState next = state.withTries(phase(), item(), after(counted));
        return item().isEmpty()
                ? next
                : next.withCursor(next.cursor()
                        .withTries(phase(), next.cursor().tries(phase()).withLatest(verdict)));
    }

    private EarlierTries after(EarlierTries tries) {
        Optional<Failure> failure = failure();
        if (position.kind() == StepKind.GATE && consumed) {
            return tries.withFailure(failure).withRepeated(Optional.empty());
        }
        if (failure.isPresent() && (!consumed || position.kind() == StepKind.TASK)) {
            return tries.repeating(position.key(), failure.get(), result.status() == StepStatus.CANCELLED);
        }
        return consumed ? tries.withRepeated(Optional.empty()) : tries;
    }

    /** Adds exit code and output from the result, which the summary does not repeat; a verdict has neither. */
    private Optional<Failure> failure() {
        if (note.failure().map(Failure::kind).filter(VERDICTS::contains).isPresent()) {
            return note.failure();
        }
        boolean said = position.kind() == StepKind.GATE
                && note.finding().flatMap(Finding::keyConcern).isPresent();
        return note.failure().map(why -> why.leaving(result.exitCode(), said ? Optional.empty() : result.lastLines()));
    }

    /** The rating for the run object. A stop is none; a success by exit code only replaces a failed step. */
    private Optional<LastVerdict> rating(Ledger ledger, Instant at) {
        if (result.status() == StepStatus.CANCELLED) {
            return Optional.empty();
        }
        Optional<LastVerdict> success = ledger.verdict()
                .filter(last -> isPlain() && last.verdict().equals(Verdict.FAILED.wire()))
                .map(last -> new LastVerdict(stepId, plainVerdict(), Optional.empty(), at));
        return LastVerdict.of(note, at).or(() -> success);
    }

    /** Whether the step did its work without a rating in a signal. */
    private boolean isPlain() {
        return consumed
                && position.kind() != StepKind.CHECK
                && position.kind() != StepKind.CONSULTATION
                && result.status() == StepStatus.COMPLETED;
    }

    /** The verdict of the step; absent for checks and gates, and for a step that is repeated without a verdict. */
    private Optional<LaunchContext.Last> verdict(Instant at) {
        if (position.kind() == StepKind.CHECK || position.kind() == StepKind.GATE) {
            return Optional.empty();
        }
        Optional<LastVerdict> given = LastVerdict.of(note, at).filter(said -> consumed || !note.failed());
        return given.map(LastVerdict::verdict)
                .or(() -> isPlain() ? Optional.of(plainVerdict()) : Optional.empty())
                .map(word -> new LaunchContext.Last(
                        new LaunchContext.Judge(stepId, agent, iteration(), item(), attempt),
                        word,
                        note.finding()
                                .map(Finding::words)
                                .filter(words -> !words.isBlank())
                                .map(BoundedText::beginning),
                        at));
    }

    /** The verdict from an exit code, or from a signal with only a status. */
    private String plainVerdict() {
        return position.kind() == StepKind.LOOP
                ? Verdict.PROGRESS.wire()
                : note.outcome().wire();
    }

    private Work workAfter(Work work) {
        StepSummary note = this.note.withFailure(failure());
        if (work instanceof LoopWork loop && loop.current().isPresent()) {
            return loop.withCurrent(loop.current().get().after(position.index(), note));
        }
        if (work instanceof LoopWork loop && position.kind() == StepKind.CHECK) {
            return loop.checkedFirst(note);
        }
        if (work instanceof EachWork each && position.item().isPresent()) {
            return each.with(each.item(position.item().get()).after(position.index(), note));
        }
        boolean task = position.kind() == StepKind.TASK && work instanceof Work.Single;
        return task ? new Work.Single(note.outcome() == UnitOutcome.APPROVED) : work;
    }
}
