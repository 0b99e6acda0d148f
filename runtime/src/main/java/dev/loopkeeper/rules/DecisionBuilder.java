package dev.loopkeeper.rules;

import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.LaunchGates;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.SignalInUse;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunPausing;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunStopping;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.StopAsked;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.StepIds;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Collects a decision. It applies each event at once, so that later rules see the new state. */
final class DecisionBuilder {
    private final Instant at;
    private final Capacity capacity;
    private Optional<String> requester;
    private final LaunchGates gates;
    private final List<RunEvent> events = new ArrayList<>();
    private final List<RunCommand> commands = new ArrayList<>();
    private final Set<RunCommand.Git> answered = new HashSet<>();
    private final Set<String> permitted = new HashSet<>();
    private final Set<String> asked = new HashSet<>();
    private Optional<List<ItemSpec>> items = Optional.empty();
    private RunState state;

    /**
     * @param capacity capacity for a run without a slot
     */
    DecisionBuilder(RunState state, Instant at, Capacity capacity) {
        this(state, at, capacity, LaunchGates.OPEN, Optional.empty());
    }

    /**
     * @param gates which launches require a permit
     * @param requester who requests the input, if a person or program does
     */
    DecisionBuilder(RunState state, Instant at, Capacity capacity, LaunchGates gates, Optional<String> requester) {
        this.state = state;
        this.requester = requester;
        this.at = at;
        this.capacity = capacity;
        this.gates = gates;
    }

    RunState state() {
        return state;
    }

    Instant at() {
        return at;
    }

    /** Who requests the input; empty where no person or program does. */
    Optional<String> requester() {
        return requester;
    }

    /** Names who requested an earlier input, which is decided only now. */
    void requestedBy(String name) {
        requester = Optional.of(name);
    }

    /** The name of an operator in events: the one who requests the input, where that is known. */
    String named(String by) {
        return by.equals(ResumeRules.OPERATOR) ? requester.orElse(by) : by;
    }

    Decision done() {
        return Decision.of(state, events, commands);
    }

    void emit(RunEvent event) {
        state = state.after(event, at);
        events.add(event);
    }

    /** Adds a command; a git command only once. */
    void command(RunCommand command) {
        if (!(command instanceof RunCommand.Git) || !commands.contains(command)) {
            commands.add(command);
        }
    }

    /** Marks a git command as done. */
    void answered(RunCommand.Git order) {
        answered.add(order);
    }

    boolean isAnswered(RunCommand.Git order) {
        return answered.contains(order);
    }

    /** Sets the items of the phase that is about to begin. */
    void giveItems(List<ItemSpec> found) {
        items = Optional.of(found);
    }

    /** Takes the items of the phase that begins now, once. */
    Optional<List<ItemSpec>> takeItems() {
        Optional<List<ItemSpec>> taken = items;
        items = Optional.empty();
        return taken;
    }

    /** Whether no git command of this kind is pending. */
    boolean isReady(Class<? extends RunCommand.Git> kind) {
        return GitRules.awaited(state).stream().filter(kind::isInstance).allMatch(answered::contains);
    }

    boolean is(Class<? extends Condition> kind) {
        return kind.isInstance(state.condition());
    }

    /** Whether the run is active or may become active. */
    boolean hasSlot() {
        return capacity.free() || RunSlots.holds(state.condition());
    }

    /** The run that uses a signal file of this run, if that alone prevents the start. */
    Optional<SignalInUse> conflict() {
        return capacity.slotFree() && !RunSlots.holds(state.condition()) ? capacity.conflict() : Optional.empty();
    }

    /** Whether launches are permitted: no pause is pending. */
    boolean mayStart() {
        return state.pauses().isEmpty() || is(Condition.Stopping.class);
    }

    /**
     * Ends the run if the circuit breaker permits no further launch.
     *
     * @return whether launches are prohibited
     */
    boolean isHalted() {
        Optional<EndReason> breaker = IterationRules.circuitBreaker(state);
        if (breaker.isPresent() && !is(Condition.Stopping.class)) {
            end(breaker.get(), StopMode.DRAIN);
        }
        return breaker.isPresent();
    }

    /** Whether a launch at this position is a retry after an error outside the work. */
    boolean recovers(StepPosition position) {
        return state.retries().containsKey(position.key())
                || state.automaticResumes().containsKey(position.key());
    }

    /** Permits launches at these positions. */
    void permit(Set<String> positions) {
        permitted.addAll(positions);
    }

    /** Whether a launch at this position was requested and requires a permit. */
    boolean isAsked(StepPosition position) {
        return asked.contains(position.key());
    }

    /** Whether any launch requires a permit. */
    boolean asksPermit() {
        return !asked.isEmpty();
    }

    /**
     * Launches a step. Does not launch an agent if the circuit breaker halts the run, or before it has the permit that
     * it requires.
     */
    void launch(StepPosition position, String agent, int attempt) {
        if (position.kind() != StepKind.CHECK && (isHalted() || requiresPermit(position, agent))) {
            return;
        }
        String stepId = StepIds.next(position, agent, attempt, state.cursor().launches());
        String nonce = state.nonce() + "-" + (state.sequence() + 1);
        emit(new StepStarted(
                stepId,
                agent,
                attempt,
                nonce,
                position,
                StepAgents.escalatedFrom(state, position),
                SessionRules.continued(state, position, agent, attempt)));
        command(new RunCommand.Launch(StepSpecs.of(state, state.steps().get(stepId)), false));
    }

    /** Whether a launch of this agent requires a permit. */
    boolean guards(String agent) {
        return gates.guards(state, agent);
    }

    private boolean requiresPermit(StepPosition position, String agent) {
        if (!guards(agent) || permitted.contains(position.key())) {
            return false;
        }
        if (asked.add(position.key())) {
            command(new RunCommand.AskPermit(position.key(), agent));
        }
        return true;
    }

    /** Pauses the run: at once when no step is open and no worktree is being removed, otherwise as soon as possible. */
    void pause(Pause requested) {
        Pause pause = requested.offering(state.manifest());
        boolean stopping = is(Condition.Stopping.class);
        boolean rests = state.steps().isEmpty() && !GitRules.clears(state);
        boolean atOnce = rests && state.pauses().isEmpty() && !stopping;
        emit(atOnce ? paused(pause) : RunPausing.now(pause));
        if (atOnce) {
            pause.resumeAt().ifPresent(time -> command(new RunCommand.WakeAt(time)));
        }
    }

    RunPaused paused(Pause pause) {
        return RunPaused.of(pause, state.active().until(at));
    }

    void finishPhase(PhaseOutcome outcome, String message) {
        String phase = state.phase().orElseThrow().name();
        emit(new PhaseFinished(phase, outcome, message, state.cursor().phaseIndex() + 1));
    }

    /**
     * Ends the execution: at once when nothing runs, otherwise when open steps have completed or ended. Before that, it
     * tries once more to end surviving processes of earlier steps.
     */
    void end(EndReason cause, StopMode mode) {
        end(cause, mode, Optional.empty());
    }

    /** Ends the execution with a person's comment. */
    void end(EndReason cause, StopMode mode, Optional<String> feedback) {
        if (state.condition() instanceof Condition.Queued queued
                && queued.rest().filter(Condition.Ended.class::isInstance).isPresent()) {
            emit(RunResumed.toEnd(queued.pendingResume().orElseThrow().by()).resolved(state));
        }
        cause.stopCause()
                .ifPresent(stopCause ->
                        emit(new StopAsked(stopCause, cause.summary(), cause.stopReason(), feedback, requester)));
        boolean attemptsUnderWay = state.cursor().work() instanceof EachWork each && each.count(ItemStatus.RUNNING) > 0;
        boolean survivors = !survivors().isEmpty();
        boolean tolerated = cause.isAskedFor() && !state.toleratedSurvivors().isEmpty();
        boolean clears = mode != StopMode.KILL && !GitRules.clearing(state).isEmpty();
        if (state.steps().isEmpty()
                && !survivors
                && !tolerated
                && !clears
                && !(mode == StopMode.DRAIN && attemptsUnderWay)) {
            Conclusion.record(this, Copies.plus(causesSoFar(), cause));
            return;
        }
        boolean justTried = survivors && is(Condition.Running.class);
        boolean sweeps = state.steps().isEmpty() && (survivors || tolerated) && !justTried && !clears;
        emit(new RunStopping(cause, mode == StopMode.DRAIN, mode == StopMode.KILL, sweeps));
        GitRules.clearing(state).forEach(this::command);
        if (sweeps) {
            sweep();
        } else if (mode != StopMode.DRAIN) {
            boolean now = mode == StopMode.KILL;
            state.steps().keySet().forEach(stepId -> command(new RunCommand.StopStep(stepId, now)));
        }
    }

    /** Tries once more to end the processes that this stop waits for. */
    void sweep() {
        boolean now = state.condition() instanceof Condition.Stopping stopping && stopping.now();
        List<String> stepIds = Stream.concat(survivors().stream(), state.toleratedSurvivors().stream())
                .flatMap(pause -> pause.stepId().stream())
                .distinct()
                .toList();
        command(new RunCommand.Sweep(stepIds, now));
    }

    /** The current and pending pauses over processes that could not be killed. */
    private List<Pause> survivors() {
        return Stream.concat(state.condition().held().stream(), state.pauses().stream())
                .filter(pause -> pause.reason() == PauseReason.SURVIVORS)
                .toList();
    }

    private List<EndReason> causesSoFar() {
        return state.condition() instanceof Condition.Stopping stopping ? stopping.causes() : List.of();
    }
}
