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
 * @param sequence of the last event
 * @param limits current limits
 * @param activity open steps, retries and pauses
 * @param git its git state; absent without a worktree
 * @param active its active time
 */
@RecordBuilder
public record RunState(
        Identity identity,
        long sequence,
        Condition condition,
        List<Execution> executions,
        Limits limits,
        Cursor cursor,
        Activity activity,
        Ledger ledger,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<GitState> git,
        ActiveTime active)
        implements RunStateBuilder.With {
    /** Key of the whole run among those of its positions. */
    public static final String WHOLE_RUN = "";

    /**
     * The constant facts of a run, except that its plan gains items as phases begin.
     *
     * @param nonce marks the run's processes; each step's own is built from it
     * @param parent where in a trace its submitter was
     * @param schedule the fire that began it
     */
    public record Identity(
            String runId,
            Plan plan,
            Instant createdAt,
            String nonce,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<TraceContext> parent,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<FiredAt> schedule) {}

    /**
     * The open steps, retries and pauses of a run.
     *
     * @param steps open steps by step id
     * @param retries pending retries by position key
     * @param pauses pending pauses, oldest first: they take effect when no step is open, and prevent launches until
     * then
     * @param consultation the consultation in progress
     * @param toleratedSurvivors pauses over processes that a person left running; a stop tries again to end them
     * @param automaticResumes automatic resumes after a provider pause since the step's last success, by position key; with
     *     {@link #WHOLE_RUN}, those of the run since a person resumed it
     * @param overflows fresh sessions after a full context window, by phase and agent
     * @param asks questions of steps to a person: the open ones, and the last closed ones
     * @param plannedPause the pause that an operator requested for later
     */
    @RecordBuilder
    public record Activity(
            Map<String, OpenStep> steps,
            Map<String, Retry> retries,
            List<Pause> pauses,
            Optional<Consultation> consultation,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Pause> toleratedSurvivors,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> automaticResumes,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> overflows,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Ask> asks,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<PlannedPause> plannedPause)
            implements RunStateActivityBuilder.With {
        static final Activity NONE = new Activity(
                Map.of(),
                Map.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                Optional.empty());
    }

    /**
     * An agent consulted in a pause.
     *
     * @param action the action that requires the agent
     * @param pause the pause in which it was chosen
     */
    public record Consultation(ResumeAction action, String agent, Pause pause) {}

    /** A pause at a later time, as it was requested. */
    public record PlannedPause(Instant at, Pause pause) {}

    /** The pause that an operator requested for later. */
    public Optional<PlannedPause> plannedPause() {
        return activity.plannedPause();
    }

    RunState withPlannedPause(Optional<PlannedPause> planned) {
        return withActivity(activity.withPlannedPause(planned));
    }

    RunState withoutPastPause(Instant now) {
        return withPlannedPause(plannedPause().filter(planned -> planned.at().isAfter(now)));
    }

    /** When the run begins or resumes automatically; absent when it does not wait for a time. */
    public Optional<Instant> resumeAt() {
        return condition instanceof Condition.Queued queued
                ? queued.later()
                : condition instanceof Condition.Waiting waiting
                        ? waiting.resumeAt()
                        : condition.held().flatMap(Pause::resumeAt);
    }

    /** The id of the run, e.g. {@code fix-flaky-tests-20261120-151233-x7k2}. */
    public String runId() {
        return identity.runId();
    }

    /** The plan of the run. */
    public Plan plan() {
        return identity.plan();
    }

    /** The manifest in its present form. */
    public Manifest manifest() {
        return plan().manifest();
    }

    public Instant createdAt() {
        return identity.createdAt();
    }

    /** Marks the run's processes; each step derives its own nonce from it. */
    public String nonce() {
        return identity.nonce();
    }

    /** Open steps by step id. */
    public Map<String, OpenStep> steps() {
        return activity.steps();
    }

    /** Pending retries by position key. */
    public Map<String, Retry> retries() {
        return activity.retries();
    }

    /** Pending pauses, oldest first. */
    public List<Pause> pauses() {
        return activity.pauses();
    }

    /** Pauses over processes that a person left running. */
    public List<Pause> toleratedSurvivors() {
        return activity.toleratedSurvivors();
    }

    /** Automatic resumes after a provider pause, by position key. */
    public Map<String, Integer> automaticResumes() {
        return activity.automaticResumes();
    }

    /** Fresh sessions after a full context window, by phase and agent. */
    public Map<String, Integer> overflows() {
        return activity.overflows();
    }

    /** Questions of steps to a person: the open ones, and the last closed ones. */
    public List<Ask> asks() {
        return activity.asks();
    }

    /** Open questions of steps to a person, oldest first. */
    public List<Ask> openAsks() {
        return asks().stream().filter(Ask::isOpen).toList();
    }

    RunState withAsks(List<Ask> changed) {
        return withActivity(activity.withAsks(changed));
    }

    /** The key of an agent in {@link #overflows}. */
    public static String overflowKey(String phase, String agent) {
        return phase + "/" + agent;
    }

    /** Returns the counts with one more for this agent. */
    Map<String, Integer> overflowed(String phase, String agent) {
        return Copies.counted(overflows(), overflowKey(phase, agent));
    }

    RunState withOverflows(Map<String, Integer> changed) {
        return withActivity(activity.withOverflows(changed));
    }

    /** The consultation in progress. */
    public Optional<Consultation> consultation() {
        return activity.consultation();
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
                ? consultation()
                        .flatMap(consulted -> consulted.pause().position())
                        .flatMap(Ledger::item)
                : Ledger.item(position);
    }

    /** The total usage so far, including open steps. */
    public Spending spending() {
        Spending sum = ledger.spent();
        for (OpenStep step : steps().values()) {
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

    RunState withPlan(Plan known) {
        return withIdentity(new Identity(
                identity.runId(),
                known,
                identity.createdAt(),
                identity.nonce(),
                identity.parent(),
                identity.schedule()));
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
        OpenStep step = steps().get(stepId);
        return step == null ? this : withSteps(Copies.plus(steps(), stepId, change.apply(step)));
    }

    RunState withWork(Work changed) {
        return withCursor(cursor.withWork(changed));
    }

    public RunState withSteps(Map<String, OpenStep> changed) {
        return withActivity(activity.withSteps(changed));
    }

    RunState withRetries(Map<String, Retry> changed) {
        return withActivity(activity.withRetries(changed));
    }

    RunState withPauses(List<Pause> changed) {
        return withActivity(activity.withPauses(changed));
    }

    RunState withConsultation(Optional<Consultation> changed) {
        return withActivity(activity.withConsultation(changed));
    }

    RunState withToleratedSurvivors(List<Pause> changed) {
        return withActivity(activity.withToleratedSurvivors(changed));
    }

    RunState withAutomaticResumes(Map<String, Integer> changed) {
        return withActivity(activity.withAutomaticResumes(changed));
    }
}
