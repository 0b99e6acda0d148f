package dev.loopkeeper.scheduler;

import dev.loopkeeper.checkpoint.EventText;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Decision;
import dev.loopkeeper.run.Places;
import dev.loopkeeper.run.RunCommand;
import dev.loopkeeper.run.RunInput;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StopCause;
import dev.loopkeeper.step.StepOutcome;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.verdict.Signal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the runs that are open and carries out what is decided for them. Decides nothing itself. Used from one context
 * only.
 */
final class LoopScheduler implements RunActor.Surroundings, StepRunner.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(LoopScheduler.class);
    private static final Duration STORE_AGAIN_AFTER = Duration.ofSeconds(1);
    private static final Duration BEYOND_GRACE = Duration.ofSeconds(20);

    private final Vertx vertx;
    private final RunJournal journal;
    private final LateInputs lateInputs;
    private final int maxRuns;
    private final StepRunner steps;
    private final SurvivorSweeps sweeps;
    private final Map<String, RunActor> runs = new HashMap<>();
    private final Map<String, Future<Optional<RunActor>>> loading = new HashMap<>();
    private final WakeTimers timers;
    private final Map<String, List<Promise<Void>>> whenEnded = new HashMap<>();
    private boolean recovered;
    private boolean draining;

    /** @param maxRuns how many runs may be under way at once; 0 = no limit */
    LoopScheduler(
            Vertx vertx,
            RunJournal journal,
            LateInputs lateInputs,
            Function<StepRunner.Listener, StepRunner> steps,
            int maxRuns) {
        this.vertx = vertx;
        this.timers = new WakeTimers(vertx);
        this.journal = journal;
        this.lateInputs = lateInputs;
        this.maxRuns = maxRuns;
        this.steps = steps.apply(this);
        this.sweeps = new SurvivorSweeps(vertx, this.steps::keep);
    }

    StepRunner steps() {
        return steps;
    }

    boolean draining() {
        return draining;
    }

    /** The run, taken into the hand from the store where need be; empty when there is none. */
    Future<Optional<RunActor>> find(String runId) {
        RunActor known = runs.get(runId);
        if (known != null) {
            return Future.succeededFuture(Optional.of(known));
        }
        return loading.computeIfAbsent(
                runId,
                id -> journal.load(id).map(state -> state.map(this::take)).onComplete(over -> loading.remove(id)));
    }

    /** The run, only if it is in the hand. */
    Optional<RunActor> inHand(String runId) {
        return Optional.ofNullable(runs.get(runId));
    }

    /** Takes a run into the hand. */
    RunActor take(RunState state) {
        return runs.computeIfAbsent(state.runId(), id -> {
            diagnose(state);
            return new RunActor(state, journal, this);
        });
    }

    private static void diagnose(RunState state) {
        state.ledger()
                .exhaustion()
                .ifPresent(record ->
                        LOG.info("run {} was stopped by {}: {}", state.runId(), record.reasonCode(), record.summary()));
    }

    /** Lets an ended run go that nobody uses; whoever asks for it again gets it from the store. */
    void releaseIfOver(RunActor run) {
        if (run.state().condition() instanceof Condition.Ended && !run.inUse()) {
            runs.remove(run.runId(), run);
        }
    }

    /** The store has removed these runs: what is held of them goes too. */
    void forget(List<String> runIds) {
        for (String runId : runIds) {
            inHand(runId).ifPresent(this::releaseIfOver);
            journal.forget(runId);
        }
    }

    /** Lets an open run of an earlier runtime go on. Completes when what that means is durable; empty: it is gone. */
    Future<Optional<Decision>> recover(String runId) {
        return find(runId)
                .compose(run -> run.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : run.get().ask(new RunInput.Recover(Instants.now())).map(Optional::of));
    }

    /** Every open run of an earlier runtime is in the hand: it is known how many are under way. */
    void recovered() {
        recovered = true;
        fillPlaces();
    }

    /** Starts queued runs while there is a place. */
    private void fillPlaces() {
        if (draining || !recovered) {
            return;
        }
        Places.next(claims(), maxRuns)
                .forEach(runId -> start(runs.get(runId))
                        .onFailure(cause -> LOG.warn("run {} waits on: {}", runId, cause.getMessage())));
    }

    private List<RunState> claims() {
        return runs.values().stream().map(RunActor::claim).toList();
    }

    @Override
    public boolean hasPlace() {
        return !draining && (maxRuns == 0 || (recovered && Places.isFree(claims(), maxRuns)));
    }

    @Override
    public void undone(RunActor run) {
        vertx.setTimer(STORE_AGAIN_AFTER.toMillis(), fired -> fillPlaces());
    }

    /** Starts a queued run if there is a place; else it waits for one. */
    Future<?> start(RunActor run) {
        return run.ask(new RunInput.Start(Instants.now()));
    }

    @Override
    public void carryOut(RunActor run, Decision decision) {
        if (LOG.isInfoEnabled()) {
            decision.events().forEach(event -> LOG.info("run {}: {}", run.runId(), EventText.of(event)));
        }
        decision.commands().forEach(command -> carryOut(run, command));
        if (decision.state().condition() instanceof Condition.Ended) {
            timers.cancel(run.runId());
            vertx.runOnContext(later -> releaseIfOver(run));
            Optional.ofNullable(whenEnded.remove(run.runId())).ifPresent(waiting -> waiting.forEach(Promise::complete));
        }
        if (!decision.events().isEmpty()) {
            vertx.runOnContext(later -> fillPlaces());
        }
    }

    private void carryOut(RunActor run, RunCommand command) {
        if (command instanceof RunCommand.Launch launch) {
            steps.launch(launch.step(), launch.recovered());
        } else if (command instanceof RunCommand.StopStep stop) {
            steps.stop(run.runId(), stop.stepId(), stop.now());
        } else if (command instanceof RunCommand.Sweep sweep) {
            sweeps.sweep(run, sweep);
        } else if (command instanceof RunCommand.WakeAt wake) {
            timers.wake(run, wake.due());
        }
    }

    @Override
    public void late(RunState state, String what) {
        lateInputs.note(state.runId(), state.sequence(), what, Instants.now());
    }

    @Override
    public void undecided(RunActor run, RunInput input, RuntimeException flaw) {
        LOG.error("run {}: {} could not be decided", run.runId(), input, flaw);
        if (!(input instanceof RunInput.Broken)) {
            run.tell(new RunInput.Broken(Instants.now(), "an internal error: " + flaw));
        }
    }

    @Override
    public void storeFailed(RunActor run, Throwable cause) {
        LOG.error("run {}: the store refuses, nothing new is launched: {}", run.runId(), cause.getMessage());
        vertx.setTimer(STORE_AGAIN_AFTER.toMillis(), fired -> {
            if (StaleAppendException.isCauseOf(cause)) {
                catchUp(run, cause);
            } else {
                tryAgain(run, cause);
            }
        });
    }

    private static void tryAgain(RunActor run, Throwable cause) {
        run.tryAgain(Instants.now(), "the store could not be written: " + cause.getMessage());
    }

    /** An append whose answer came too late was durable all the same: the run is behind its own history. */
    private void catchUp(RunActor run, Throwable cause) {
        journal.load(run.runId())
                .onComplete(
                        found -> found.filter(durable ->
                                        durable.sequence() > run.state().sequence())
                                .ifPresentOrElse(
                                        durable -> run.catchUp(durable, Instants.now()), () -> tryAgain(run, cause)),
                        unreadable -> storeFailed(run, cause));
    }

    @Override
    public void used(String runId, String stepId, Usage usage) {
        inHand(runId).ifPresent(run -> run.tell(new RunInput.UsageSeen(Instants.now(), stepId, usage)));
    }

    @Override
    public void signalled(String runId, String stepId, Signal signal) {
        inHand(runId).ifPresent(run -> run.tell(new RunInput.SignalSeen(Instants.now(), stepId, signal)));
    }

    @Override
    public void ended(String runId, String stepId, StepOutcome outcome) {
        // While draining, what ends by itself is left to the next runtime, which finds it recorded.
        inHand(runId)
                .filter(run -> !draining || run.state().condition() instanceof Condition.Stopping)
                .ifPresent(run -> run.tell(new RunInput.StepEnded(Instants.now(), stepId, outcome)));
    }

    /** Stops this run because the runtime ends; completes when it has ended, at once when it is not under way. */
    Future<Void> interrupt(String runId, String why) {
        Optional<RunActor> run = inHand(runId).filter(LoopScheduler::mayStillAct);
        if (run.isEmpty()) {
            return Future.succeededFuture();
        }
        Promise<Void> over = Promise.promise();
        whenEnded.computeIfAbsent(runId, id -> new ArrayList<>()).add(over);
        return run.get()
                .ask(new RunInput.Stop(Instants.now(), StopCause.SIGNAL, Optional.of(why), false))
                .compose(asked -> over.future().timeout(patience(run.get()).toSeconds(), TimeUnit.SECONDS));
    }

    /** The longest grace of the run's agents, and the time that ending what ignores it may take. */
    private static Duration patience(RunActor run) {
        return run.state().plan().manifest().agents().values().stream()
                .map(agent -> agent.stop().grace())
                .reduce(Duration.ZERO, (one, other) -> one.compareTo(other) > 0 ? one : other)
                .plus(BEYOND_GRACE);
    }

    /** Ends the processes of a run whose stop cannot be recorded yet; it is recorded as soon as it can be. */
    void stopUnrecorded(RunActor run, RunInput.Stop stop) {
        LOG.error("run {}: a stop cannot be recorded, its processes are ended all the same", run.runId());
        run.tell(stop);
        run.state().steps().keySet().forEach(stepId -> steps.stop(run.runId(), stepId, stop.now()));
    }

    private static boolean mayStillAct(RunActor run) {
        Condition condition = run.state().condition();
        return run.isDeciding() || !(condition instanceof Condition.Paused || condition instanceof Condition.Ended);
    }

    /**
     * Takes no more work. Runs whose agents do not outlive the runtime are interrupted; the others are left as they
     * are, for the next runtime. Completes when the interrupted ones have ended.
     */
    Future<Void> drain() {
        draining = true;
        List<Future<Void>> interrupted =
                runs.values().stream().filter(LoopScheduler::diesWithTheRuntime).map(RunActor::runId).toList().stream()
                        .map(runId -> interrupt(runId, "the runtime ends"))
                        .toList();
        return Future.join(interrupted).mapEmpty();
    }

    private static boolean diesWithTheRuntime(RunActor run) {
        return run.state().steps().values().stream()
                .map(step -> run.state().plan().manifest().agent(step.agent()))
                .flatMap(Optional::stream)
                .anyMatch(agent -> agent.onRuntimeDeath() == OnRuntimeDeath.KILL);
    }
}
