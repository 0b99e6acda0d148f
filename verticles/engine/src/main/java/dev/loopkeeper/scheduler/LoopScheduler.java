package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.ClientEnvironment;
import dev.loopkeeper.contract.ClientEnvironments;
import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.contract.SchedulerChannels.ActiveRuns;
import dev.loopkeeper.contract.SchedulerChannels.RunActivity;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.WorkspaceRules;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.PoolStore;
import dev.loopkeeper.store.SharedSignalFiles;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires the parts that hold open runs and execute their decisions. Contains no rules. Used from one context only. */
final class LoopScheduler implements RunHost, StepListener, PoolPlaces.Host {
    private static final Logger LOG = LoggerFactory.getLogger(LoopScheduler.class);

    private final RunJournal journal;
    private final LateInputs lateInputs;
    private final RunCapacity capacity;
    private final RunActors actors;
    private final RunIntake intake;
    private final StepRunner steps;
    private final RuntimeEnd runtimeEnd;
    private final LaunchPermits permits;
    private final DecisionEffects effects;
    private final StoreRetry storeRetry;
    private final PoolPlaces places;
    private final ClientEnvironments environments;

    /**
     * @param maxRuns how many runs may be active at once; 0 = no limit
     * @param policy holds across runs
     * @param store has the places of pools
     * @param shared whether other processes use the store
     */
    LoopScheduler(
            Vertx vertx,
            RunJournal journal,
            LateInputs lateInputs,
            Function<StepListener, StepRunner> steps,
            SharedSignalFiles signalFiles,
            int maxRuns,
            Supplier<Policy> policy,
            PoolStore store,
            boolean shared) {
        Map<String, RunActor> runs = new HashMap<>();
        this.environments = ClientEnvironments.in(vertx);
        WakeTimers timers = new WakeTimers(vertx);
        this.journal = journal;
        this.lateInputs = lateInputs;
        SignalClaims signals = new SignalClaims(vertx, signalFiles, runs);
        this.capacity = new RunCapacity(vertx, runs, signals, maxRuns);
        this.actors = new RunActors(
                journal,
                LoadedRuns.in(vertx),
                runs,
                signals,
                timers,
                this::actor,
                state -> steps().opened().activity(state.runId(), state.steps().keySet()));
        this.intake = new RunIntake(vertx, actors, signals, capacity);
        this.runtimeEnd = new RuntimeEnd(runs);
        this.steps = steps.apply(this);
        this.places = new PoolPlaces(vertx, store, policy, shared, this);
        this.permits = new LaunchPermits(vertx, policy, actors, places);
        this.effects = new DecisionEffects(vertx, actors, capacity, timers, permits, this.steps, runtimeEnd);
        this.storeRetry = new StoreRetry(vertx, journal, actors::releaseIfOver, actors::drop);
    }

    private RunActor actor(RunState state) {
        return new RunActor(state, journal, this);
    }

    StepRunner steps() {
        return steps;
    }

    RunCapacity capacity() {
        return capacity;
    }

    RunActors actors() {
        return actors;
    }

    RuntimeEnd runtimeEnd() {
        return runtimeEnd;
    }

    RunIntake intake() {
        return intake;
    }

    /** Returns what the open steps of a run do; nothing where it is not loaded. */
    RunActivity activity(String runId) {
        return actors.loaded(runId)
                .map(run ->
                        steps.opened().runActivity(runId, run.state().steps().keySet()))
                .orElse(RunActivity.NOTHING);
    }

    /** Forgets all runs, because this node no longer owns them; their later results are ignored. */
    void dropAll() {
        LOG.warn("this node no longer executes its {} runs", actors.all().size());
        intake.dropAll();
        steps.forgetAll();
        places.forgetAll();
        actors.dropAll();
    }

    /** See {@link RunActors#releaseQueued}. */
    List<String> releaseQueued(List<String> runIds) {
        return actors.releaseQueued(runIds, Set.copyOf(capacity.waiting()));
    }

    @Override
    public void execute(RunActor run, Decision decision) {
        capacity.decided(decision.state());
        places.decided(decision.state());
        effects.execute(run, decision);
    }

    @Override
    public Optional<RunActor> loaded(String runId) {
        return capacity.isClosed() ? Optional.empty() : actors.loaded(runId);
    }

    @Override
    public Future<?> granted(RunActor run, RunCommand.AskPermit asked, boolean waited) {
        return permits.granted(run, asked, waited);
    }

    /** Applies another policy to the runs. */
    void policyChanged() {
        places.policyChanged(actors.all().stream().map(RunActor::state).toList());
    }

    @Override
    public void late(RunState state, String what) {
        lateInputs.note(state.runId(), state.sequence(), what, Instants.now());
    }

    @Override
    public Future<Capacity> capacity(RunActor run, RunInput input) {
        return capacity.of(run.state(), input);
    }

    @Override
    public LaunchPermits gates() {
        return permits;
    }

    @Override
    public void undone(RunActor run) {
        capacity.fillLater();
    }

    /** Ends the run; where that fails too, at least stops its processes. */
    @Override
    public void broken(RunActor run, RunInput input, Throwable failure) {
        LOG.error("run {}: an internal error at {}", run.runId(), name(input), failure);
        if (input instanceof RunInput.Broken) {
            run.state().steps().keySet().forEach(stepId -> steps.stops().stopWhateverBreaks(run.runId(), stepId));
        } else {
            run.deliver(StepListener.broken(failure.toString()));
        }
    }

    /** Names an input by its type, since its content may be a megabyte. */
    private static String name(RunInput input) {
        return input.getClass().getSimpleName();
    }

    @Override
    public void storeFailed(RunActor run, Throwable cause) {
        storeRetry.failed(run, cause);
    }

    @Override
    public void deliver(String runId, RunInput input) {
        actors.loaded(runId).ifPresent(run -> {
            run.deliver(input);
            if (input instanceof RunInput.UsageSeen seen
                    && seen.usage().tokens().isPresent()) {
                Optional.ofNullable(run.state().steps().get(seen.stepId()))
                        .ifPresent(step -> places.served(run.state(), step));
            }
        });
    }

    /** The environment of a command is in the memory of the process that it was submitted to. */
    @Override
    public void launches(String runId) {
        actors.loaded(runId)
                .filter(run -> run.state().ledger().warned().contains(ClientEnvironment.GIVEN))
                .filter(run -> environments.of(runId).isEmpty())
                .ifPresent(run -> run.deliver(RunInput.Remark.once(
                        Instants.now(),
                        ClientEnvironment.LOST,
                        "agents have the environment and umask of this process from now on: those of the command that"
                                + " submitted this run are no longer in memory")));
    }

    @Override
    public void does(String runId) {
        actors.loaded(runId).ifPresent(run -> actors.publish(run.state()));
    }

    @Override
    public WorkspaceRules.StepChanges changesAfter(String runId, String stepId, StepOutcome outcome) {
        return actors.loaded(runId)
                .map(run -> WorkspaceRules.after(run.state(), stepId, outcome))
                .orElse(WorkspaceRules.StepChanges.UNUSED);
    }

    @Override
    public void ended(String runId, String stepId, StepOutcome outcome) {
        // While draining, step ends are left to the next runtime, which finds them recorded. Exceptions are runs that
        // are being stopped, or whose stop is not durable yet.
        actors.loaded(runId)
                .filter(run -> !capacity.isClosed()
                        || run.state().condition() instanceof Condition.Stopping
                        || runtimeEnd.isAwaited(runId))
                .ifPresent(run -> ended(run, new RunInput.StepEnded(Instants.now(), stepId, outcome)));
    }

    /** The pool of the agent cools down before the run decides on the limit that the agent met. */
    private void ended(RunActor run, RunInput.StepEnded ended) {
        places.ending(run.state(), ended).onComplete(durable -> deliver(run.runId(), ended));
    }

    /**
     * Lists the runs that continue automatically. If there are none and none can appear, no more work is accepted from
     * now on.
     */
    ActiveRuns settle() {
        List<RunActor> runs = actors.all();
        List<String> going = runs.stream()
                .filter(run -> !run.state().condition().atRest())
                .map(RunActor::runId)
                .sorted()
                .toList();
        boolean over = going.isEmpty() && runs.stream().noneMatch(RunActor::inUse) && !intake.isAdmitting();
        if (over) {
            capacity.close();
        }
        return new ActiveRuns(over, going);
    }

    /** Accepts no more work; see {@link RuntimeEnd#interruptDependent}. */
    Future<Void> drain() {
        capacity.close();
        return runtimeEnd.interruptDependent();
    }

    /** Marks the runtime as ending. */
    void close() {
        steps.git().close();
    }
}
