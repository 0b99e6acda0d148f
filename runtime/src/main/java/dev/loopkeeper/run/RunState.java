package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.manifest.CommitEvery;
import dev.loopkeeper.manifest.Isolation;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that is true of a run. Changes only by {@link RunEvent#apply}.
 *
 * @param sequence of the last event
 * @param limits in force
 * @param activity what is under way, or due
 * @param git how far it has come in git; absent where it has no worktree of its own
 * @param active how long it has been under way
 */
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
        ActiveTime active) {

    /** Older snapshots know of no worktrees. */
    public RunState {
        git = git == null ? Optional.empty() : git;
        active = active == null ? ActiveTime.NONE : active;
    }

    /**
     * What never changes, but that items become known as phases begin.
     *
     * @param nonce marks the run's processes; each step's own is built from it
     */
    public record Identity(String runId, Plan plan, Instant createdAt, String nonce) {}

    /**
     * What is under way, or due.
     *
     * @param steps those that are open, by step id
     * @param retries that are due or will be, by slot key
     * @param pauses what pauses the run as soon as no step is open, first come first; nothing new is launched meanwhile
     * @param aside the action whose agent is being consulted, with the pause it was chosen in
     * @param spared pauses over survivors that a person let live on; a stop tries again to end them
     * @param returns how often the run went on by itself after a pause for the providers of a step that did not end
     *     well since, by slot key
     * @param overflows how often an agent whose context window was full was launched in a fresh session, by phase and agent
     */
    public record Activity(
            Map<String, OpenStep> steps,
            Map<String, Retry> retries,
            List<Pause> pauses,
            Optional<Aside> aside,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Pause> spared,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> returns,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> overflows) {
        static final Activity NONE =
                new Activity(Map.of(), Map.of(), List.of(), Optional.empty(), List.of(), Map.of(), Map.of());

        /** Older snapshots know of none that are spared, and of no returns. */
        public Activity {
            spared = spared == null ? List.of() : spared;
            returns = returns == null ? Map.of() : returns;
            overflows = overflows == null ? Map.of() : overflows;
        }
    }

    /** A consultation under way. */
    public record Aside(ResumeAction action, String agent, Pause pause) {}

    /** Its id, e.g. {@code fix-flaky-tests-20261120-151233-x7k2}. */
    public String runId() {
        return identity.runId();
    }

    /** What it is to do. */
    public Plan plan() {
        return identity.plan();
    }

    /** When it was created. */
    public Instant createdAt() {
        return identity.createdAt();
    }

    /** Marks the run's processes; each step's own is built from it. */
    public String nonce() {
        return identity.nonce();
    }

    /** Steps that are open, by step id. */
    public Map<String, OpenStep> steps() {
        return activity.steps();
    }

    /** Retries that are due or will be, by slot key. */
    public Map<String, Retry> retries() {
        return activity.retries();
    }

    /** What pauses the run as soon as no step is open, first come first. */
    public List<Pause> pauses() {
        return activity.pauses();
    }

    /** Pauses over survivors that a person let live on. */
    public List<Pause> spared() {
        return activity.spared();
    }

    /** How often the run went on by itself after a pause for a step's providers, by slot key. */
    public Map<String, Integer> returns() {
        return activity.returns();
    }

    /** How often an agent was launched in a fresh session since its context window was full, by phase and agent. */
    public Map<String, Integer> overflows() {
        return activity.overflows();
    }

    /** The key of an agent of a phase in {@link #overflows}. */
    public static String overflowKey(String phase, String agent) {
        return phase + "/" + agent;
    }

    /** The counts with one more for this agent. */
    Map<String, Integer> overflowed(String phase, String agent) {
        String key = overflowKey(phase, agent);
        return Copies.plus(overflows(), key, overflows().getOrDefault(key, 0) + 1);
    }

    RunState withOverflows(Map<String, Integer> changed) {
        return with(new Activity(steps(), retries(), pauses(), aside(), spared(), returns(), changed));
    }

    /** The action whose agent is being consulted. */
    public Optional<Aside> aside() {
        return activity.aside();
    }

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
        List<PhaseSpec> phases = plan().manifest().phases();
        return index < phases.size() ? Optional.of(phases.get(index)) : Optional.empty();
    }

    /** How many phases have begun, the present one included once it has. */
    public int begunPhases() {
        return cursor.phaseIndex() + (cursor.work() instanceof Work.None ? 0 : 1);
    }

    /** Whether nothing new may be launched. */
    boolean holdsBack() {
        return !pauses().isEmpty() || condition instanceof Condition.Stopping;
    }

    /** Whether it is known what a try changes: its steps are committed. */
    boolean countsChanges() {
        CommitEvery every = plan().manifest().isolation().map(Isolation::commit).orElse(CommitEvery.NONE);
        return git.isPresent() && every != CommitEvery.NONE;
    }

    /** What later launches learn of the tries before them: of this item of the present phase, else of the phase. */
    public EarlierTries tries(String phase, Optional<String> item) {
        return workOf(item).map(ItemWork::tries).orElseGet(() -> cursor.tries(phase));
    }

    RunState withTries(String phase, Optional<String> item, EarlierTries changed) {
        return workOf(item)
                .map(work -> with(((EachWork) cursor.work()).with(work.with(changed))))
                .orElseGet(() -> with(cursor.withTries(phase, changed)));
    }

    private Optional<ItemWork> workOf(Optional<String> item) {
        return cursor.work() instanceof EachWork each ? item.map(each::item) : Optional.empty();
    }

    /** All that was used so far, open steps included. */
    public Spending spending() {
        Spending sum = ledger.spent();
        for (OpenStep step : steps().values()) {
            sum = sum.plus(step.usage());
        }
        return sum;
    }

    /** The state after this event, which happened then. */
    public RunState after(RunEvent event, Instant at) {
        RunState counted = new RunState(
                identity, sequence + 1, condition, executions, limits, cursor, activity, ledger, git, active);
        RunState changed = event.apply(counted, at);
        ActiveTime time = active.at(at, changed.status());
        return time.equals(active) ? changed : changed.with(time);
    }

    private RunState with(ActiveTime changed) {
        return new RunState(identity, sequence, condition, executions, limits, cursor, activity, ledger, git, changed);
    }

    public RunState with(Condition changed) {
        return new RunState(identity, sequence, changed, executions, limits, cursor, activity, ledger, git, active);
    }

    RunState withExecutions(List<Execution> changed) {
        return new RunState(identity, sequence, condition, changed, limits, cursor, activity, ledger, git, active);
    }

    RunState with(Plan known) {
        Identity informed = new Identity(identity.runId(), known, identity.createdAt(), identity.nonce());
        return new RunState(informed, sequence, condition, executions, limits, cursor, activity, ledger, git, active);
    }

    RunState with(Limits changed) {
        return new RunState(identity, sequence, condition, executions, changed, cursor, activity, ledger, git, active);
    }

    RunState with(Cursor changed) {
        return new RunState(identity, sequence, condition, executions, limits, changed, activity, ledger, git, active);
    }

    RunState with(GitState changed) {
        return new RunState(
                identity,
                sequence,
                condition,
                executions,
                limits,
                cursor,
                activity,
                ledger,
                Optional.of(changed),
                active);
    }

    RunState with(Work changed) {
        return with(cursor.withWork(changed));
    }

    RunState with(Ledger changed) {
        return new RunState(identity, sequence, condition, executions, limits, cursor, activity, changed, git, active);
    }

    public RunState withSteps(Map<String, OpenStep> changed) {
        return with(new Activity(changed, retries(), pauses(), aside(), spared(), returns(), overflows()));
    }

    RunState withRetries(Map<String, Retry> changed) {
        return with(new Activity(steps(), changed, pauses(), aside(), spared(), returns(), overflows()));
    }

    RunState withPauses(List<Pause> changed) {
        return with(new Activity(steps(), retries(), changed, aside(), spared(), returns(), overflows()));
    }

    RunState withAside(Optional<Aside> changed) {
        return with(new Activity(steps(), retries(), pauses(), changed, spared(), returns(), overflows()));
    }

    RunState withSpared(List<Pause> changed) {
        return with(new Activity(steps(), retries(), pauses(), aside(), changed, returns(), overflows()));
    }

    RunState withReturns(Map<String, Integer> changed) {
        return with(new Activity(steps(), retries(), pauses(), aside(), spared(), changed, overflows()));
    }

    private RunState with(Activity changed) {
        return new RunState(identity, sequence, condition, executions, limits, cursor, changed, ledger, git, active);
    }
}
