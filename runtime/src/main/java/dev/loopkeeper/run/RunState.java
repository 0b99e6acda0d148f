package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.manifest.CommitEvery;
import dev.loopkeeper.manifest.Isolation;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.policy.FiredAt;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.Ask;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.termination.ResumeAction;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The complete state of a run. Only {@link RunEvent#apply} changes it.
 *
 * @param runId e.g. {@code fix-flaky-tests-20261120-151233-x7k2}
 * @param plan what it was created with, and the items of phases that have begun
 * @param nonce marks the run's processes; each step's own is built from it
 * @param parent where in a trace its submitter was
 * @param schedule the fire that began it
 * @param sequence of the last event
 * @param limits current limits
 * @param steps open steps by step id
 * @param retries pending retries by position key
 * @param pauses pending pauses, oldest first: they take effect when no step is open, and prevent launches until then
 * @param consultation the consultation in progress
 * @param toleratedSurvivors pauses over processes that a person left running; a stop tries again to end them
 * @param automaticResumes automatic resumes after a provider pause since the step's last success, by position key; with
 *     {@link #WHOLE_RUN}, those of the run since a person resumed it
 * @param overflows fresh sessions after a full context window, by {@link #overflowKey}
 * @param asks questions of steps to a person: the open ones, and the last closed ones
 * @param plannedPause the pause that an operator requested for later
 * @param git its git state; absent without a worktree
 * @param active its active time
 */
@RecordBuilder
public record RunState(
        String runId,
        Plan plan,
        Instant createdAt,
        String nonce,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<TraceContext> parent,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<FiredAt> schedule,
        long sequence,
        Condition condition,
        List<Execution> executions,
        Limits limits,
        Cursor cursor,
        Map<String, OpenStep> steps,
        Map<String, Retry> retries,
        List<Pause> pauses,
        Optional<Consultation> consultation,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Pause> toleratedSurvivors,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> automaticResumes,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> overflows,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Ask> asks,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<PlannedPause> plannedPause,
        Ledger ledger,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<GitState> git,
        ActiveTime active)
        implements RunStateBuilder.With {
    /** Key of the whole run among those of its positions. */
    public static final String WHOLE_RUN = "";

    /**
     * An agent consulted in a pause.
     *
     * @param action the action that requires the agent
     * @param pause the pause in which it was chosen
     */
    public record Consultation(ResumeAction action, String agent, Pause pause) {}

    /** A pause at a later time, as it was requested. */
    public record PlannedPause(Instant at, Pause pause) {}

    RunState withoutPastPause(Instant now) {
        return withPlannedPause(plannedPause.filter(planned -> planned.at().isAfter(now)));
    }

    /** When the run begins or resumes automatically; absent when it does not wait for a time. */
    public Optional<Instant> resumeAt() {
        return condition instanceof Condition.Queued queued
                ? queued.later()
                : condition instanceof Condition.Waiting waiting
                        ? waiting.resumeAt()
                        : condition.held().flatMap(Pause::resumeAt);
    }

    /** The manifest in its present form. */
    public Manifest manifest() {
        return plan.manifest();
    }

    /** Open questions of steps to a person, oldest first. */
    public List<Ask> openAsks() {
        return asks.stream().filter(Ask::isOpen).toList();
    }

    /** The key of an agent in {@link #overflows}. */
    public static String overflowKey(String phase, String agent) {
        return phase + "/" + agent;
    }

    /** Returns the counts with one more for this agent. */
    Map<String, Integer> overflowed(String phase, String agent) {
        return Copies.counted(overflows, overflowKey(phase, agent));
    }

    /** The status that clients see. */
    public RunStatus status() {
        return condition.status();
    }

    /** The number of the current or last execution, 1 before the first. */
    public int execution() {
        return Math.max(1, executions.size());
    }

    /** The current phase; absent when all are complete. */
    public Optional<PhaseSpec> phase() {
        int index = cursor.phaseIndex();
        List<PhaseSpec> phases = manifest().phases();
        return index < phases.size() ? Optional.of(phases.get(index)) : Optional.empty();
    }

    /** The number of begun phases, including the current one. */
    public int begunPhases() {
        return cursor.phaseIndex() + (cursor.work() instanceof Work.None ? 0 : 1);
    }

    /** Whether the changes of an attempt are known, because its steps are committed. */
    boolean countsChanges() {
        CommitEvery every = manifest().isolation().map(Isolation::commit).orElse(CommitEvery.NONE);
        return git.isPresent() && every != CommitEvery.NONE;
    }

    /** Earlier results for later launches: of this item of the current phase, else of the phase. */
    public EarlierTries tries(String phase, Optional<String> item) {
        return workOf(item).map(ItemWork::tries).orElseGet(() -> cursor.tries(phase));
    }

    RunState withTries(String phase, Optional<String> item, EarlierTries changed) {
        return workOf(item)
                .map(work -> withWork(((EachWork) cursor.work()).with(work.withTries(changed))))
                .orElseGet(() -> withCursor(cursor.withTries(phase, changed)));
    }

    private Optional<ItemWork> workOf(Optional<String> item) {
        return cursor.work() instanceof EachWork each ? item.map(each::item) : Optional.empty();
    }

    /** The operator's feedback for a launch at this position; a consulted agent gets that of the pause's item. */
    public String feedback(StepPosition position) {
        return ledger.feedback(itemOf(position));
    }

    RunState withFeedbackDelivered(StepPosition position) {
        return withLedger(ledger.delivered(itemOf(position)));
    }

    private Optional<String> itemOf(StepPosition position) {
        return position.kind() == StepKind.CONSULTATION
                ? consultation
                        .flatMap(consulted -> consulted.pause().position())
                        .flatMap(Ledger::item)
                : Ledger.item(position);
    }

    /** The total usage so far, including open steps. */
    public Spending spending() {
        Spending sum = ledger.spent();
        for (OpenStep step : steps.values()) {
            sum = sum.plus(step.usage());
        }
        return sum;
    }

    /** Applies an event that happened at this time. */
    public RunState after(RunEvent event, Instant at) {
        RunState counted = withSequence(sequence + 1);
        RunState changed = event.apply(counted, at);
        return changed.withActive(changed.active.at(at, changed.status()));
    }

    /** No runtime and no step ran in this last while. */
    public RunState unattended(long millis, Instant now) {
        return withActive(active.without(now.minusMillis(millis), now));
    }

    /** Changes the statistics. */
    RunState counting(UnaryOperator<RunStatistics> change) {
        return withLedger(ledger.withStatistics(change.apply(ledger.statistics())));
    }

    /** Changes the git state, if there is one. */
    RunState changingGit(UnaryOperator<GitState> change) {
        return withGit(git.map(change));
    }

    /** Changes this step, if it is open. */
    RunState changingStep(String stepId, UnaryOperator<OpenStep> change) {
        OpenStep step = steps.get(stepId);
        return step == null ? this : withSteps(Copies.plus(steps, stepId, change.apply(step)));
    }

    RunState withWork(Work changed) {
        return withCursor(cursor.withWork(changed));
    }

    /** Counts the usage of an open step that has ended. */
    public RunState counting(OpenStep ended) {
        return withSteps(Copies.plus(steps, ended.stepId(), ended));
    }
}
