package dev.loopkeeper.scheduler;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.run.LoadedRun;
import dev.loopkeeper.contract.run.LoadedRuns;
import dev.loopkeeper.contract.run.OpenSteps;
import dev.loopkeeper.contract.run.Settled;
import dev.loopkeeper.contract.worktree.CheckWorkspace;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.Capacity;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.GitRules;
import dev.loopkeeper.rules.RunCommand;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.rules.SignalInUse;
import dev.loopkeeper.rules.StepOutcome;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.GitOrigin;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.step.OwnRetry;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.store.StoreAwayException;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.Trouble;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the runs that are open and carries out what is decided for them. Decides nothing itself. Used from one context
 * only.
 */
final class LoopScheduler implements RunActor.Host, StepRunner.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(LoopScheduler.class);

    private final Vertx vertx;
    private final RunJournal journal;
    private final LateInputs lateInputs;
    private final StepRunner steps;
    private final SurvivorSweeps sweeps;
    private final Map<String, RunActor> runs = new HashMap<>();
    private final LoadedRuns views;
    private final Map<String, Future<Optional<RunActor>>> loading = new HashMap<>();
    private final Set<String> unreadable = new HashSet<>();
    private final WakeTimers timers;
    private final StoreRetry trouble;
    private final SignalClaims signals;
    private final RunSlotQueue places;
    private final RuntimeEnd runtimeEnd = new RuntimeEnd(runs);
    private boolean filling;
    private int entering;
    /** Rises when all runs are dropped: what was read before counts no more. */
    private int era;

    /** @param maxRuns how many runs may be under way at once; 0 = no limit */
    LoopScheduler(
            Vertx vertx,
            RunJournal journal,
            LateInputs lateInputs,
            Function<StepRunner.Listener, StepRunner> steps,
            int maxRuns) {
        this.vertx = vertx;
        this.views = LoadedRuns.in(vertx);
        this.timers = new WakeTimers(vertx);
        this.journal = journal;
        this.lateInputs = lateInputs;
        this.signals = new SignalClaims(vertx.eventBus(), runs);
        this.places = new RunSlotQueue(runs, signals, maxRuns);
        this.trouble = new StoreRetry(vertx, journal, this::releaseIfOver, this::drop);
        this.steps = steps.apply(this);
        this.sweeps = new SurvivorSweeps(vertx, new Receipts(vertx)::keep);
    }

    StepRunner steps() {
        return steps;
    }

    RunSlotQueue places() {
        return places;
    }

    /** Whether no more work is taken. */
    boolean draining() {
        return places.closed();
    }

    /** The run, loaded from the store where need be; empty when there is none. */
    Future<Optional<RunActor>> find(String runId) {
        RunActor known = runs.get(runId);
        if (known != null) {
            return Future.succeededFuture(Optional.of(known));
        }
        int asked = era;
        return loading.computeIfAbsent(
                runId,
                id -> journal.load(id)
                        .map(state -> state.filter(read -> asked == era).map(this::take))
                        .onComplete(over -> loading.remove(id)));
    }

    /** Whether it may be loaded here: nobody else carries it out. */
    boolean carriesOut(String runId) {
        return runs.containsKey(runId) || journal.isOwn(runId);
    }

    /** The run as it is durable, which is not loaded by that; empty when there is none. */
    Future<Optional<RunState>> read(String runId) {
        return journal.load(runId);
    }

    /** The run, loaded where it is carried out here, else only read. */
    Future<Optional<RunState>> known(String runId) {
        return carriesOut(runId) ? find(runId).map(run -> run.map(RunActor::state)) : read(runId);
    }

    /** The run object of this state, with who carries it out. */
    ObjectNode view(RunState state) {
        ObjectNode view = ViewJson.write(RunView.of(state));
        journal.owner(state.runId()).ifPresent(owner -> view.set("owner", Json.MAPPER.valueToTree(owner)));
        return view;
    }

    /** The run, only if it is loaded. */
    Optional<RunActor> loaded(String runId) {
        return Optional.ofNullable(runs.get(runId));
    }

    /** Holds a run from now on. */
    RunActor take(RunState state) {
        return runs.computeIfAbsent(state.runId(), id -> {
            diagnose(state);
            publish(state);
            return new RunActor(state, journal, this);
        });
    }

    private static void diagnose(RunState state) {
        RunExplanation.diagnosis(state).ifPresent(text -> LOG.info("run {} {}", state.runId(), text));
    }

    /**
     * Lets a run go that nobody uses and that does nothing by itself: an ended one, or one that waits for a person.
     * Whoever asks for it again gets it from the store. So thousands of paused runs cost no memory.
     */
    void releaseIfOver(RunActor run) {
        if (run.state().condition().atRest() && !run.inUse()) {
            timers.cancel(run.runId());
            runs.remove(run.runId(), run);
            views.withdraw(run.runId());
            signals.forget(run.runId());
        }
    }

    /** Forgets all runs, which are not to be carried out here any more: what comes of them changes nothing. */
    void dropAll() {
        LOG.warn("{} runs are not carried out here any more", runs.size());
        era++;
        loading.clear();
        unreadable.clear();
        steps.forgetAll();
        List.copyOf(runs.values()).forEach(this::drop);
    }

    /** Forgets these of the runs that wait for a place, and says which: another process carries them out from now on. */
    List<String> letGo(List<String> runIds) {
        Set<String> waiting = Set.copyOf(places.waiting());
        List<String> gone = runIds.stream()
                .filter(waiting::contains)
                .filter(runId -> !loading.containsKey(runId) && !runs.get(runId).inUse())
                .toList();
        gone.forEach(runId -> {
            journal.letGo(runId);
            drop(runs.get(runId));
        });
        return gone;
    }

    private void drop(RunActor run) {
        timers.cancel(run.runId());
        runs.remove(run.runId(), run);
        views.withdraw(run.runId());
        signals.forget(run.runId());
        journal.forget(run.runId());
        run.drop(new StoreAwayException("run " + run.runId() + " is not carried out here any more", null));
    }

    /** Carries these on from now on, and says which cannot be read. */
    Future<List<String>> takeUp(List<String> runIds, boolean moved) {
        List<Future<Boolean>> taken = runIds.stream()
                .map(runId -> entering(() -> recover(runId, moved)).map(true).otherwise(cause -> {
                    notTakenUp(runId, moved, cause);
                    return false;
                }))
                .toList();
        return Future.join(taken).map(all -> {
            fillSoon();
            return IntStream.range(0, runIds.size())
                    .filter(index -> !taken.get(index).result())
                    .mapToObj(runIds::get)
                    .toList();
        });
    }

    /**
     * This run cannot be read, so nobody knows what of it is open. Where the store is away only, it is taken up when that
     * is back, if it is still ours.
     */
    void notTakenUp(String runId, boolean moved, Throwable cause) {
        unreadable.add(runId);
        if (!(cause instanceof StoreAwayException)) {
            LOG.error("run {} cannot be taken up", runId, cause);
            return;
        }
        LOG.warn("run {} is taken up when the store is back: {}", runId, cause.getMessage());
        int asked = era;
        vertx.setTimer(StoreRetry.AGAIN_AFTER.toMillis(), fired -> {
            if (asked == era && !draining()) {
                entering(() -> recover(runId, moved))
                        .onSuccess(known -> {
                            unreadable.remove(runId);
                            fillSoon();
                        })
                        .onFailure(again -> whileOurs(asked, () -> notTakenUp(runId, moved, again)));
            }
        });
    }

    private void whileOurs(int asked, Runnable work) {
        if (asked == era) {
            work.run();
        }
    }

    /** The open steps of this run, or of all. A run that is not loaded is at rest and has none, unless it cannot be read. */
    OpenSteps openSteps(Optional<String> runId) {
        Stream<RunActor> asked =
                runId.map(id -> loaded(id).stream()).orElseGet(() -> List.copyOf(runs.values()).stream());
        Set<String> steps = asked.flatMap(
                        run -> run.state().steps().keySet().stream().map(stepId -> run.runId() + "/" + stepId))
                .collect(Collectors.toSet());
        return new OpenSteps(steps, Set.copyOf(unreadable));
    }

    /** The store has removed these runs: what is held of them goes too. */
    void forget(List<String> runIds) {
        for (String runId : runIds) {
            loaded(runId).ifPresent(this::releaseIfOver);
            journal.forget(runId);
        }
    }

    /** Lets an open run of an earlier runtime go on. Completes when what that means is durable; empty: it is gone. */
    Future<Optional<Decision>> recover(String runId) {
        return recover(runId, false);
    }

    private Future<Optional<Decision>> recover(String runId, boolean moved) {
        return find(runId)
                .compose(run -> run.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : recover(run.get(), moved).map(Optional::of));
    }

    /** What it has is known before anybody else may ask for it. */
    private Future<Decision> recover(RunActor run, boolean moved) {
        RunInput input = new RunInput.Recover(Instants.now(), moved);
        Future<Void> known =
                RunSlots.holds(run.state().condition()) ? signals.look(run.state(), input) : Future.succeededFuture();
        // Whose node was lost must not go on without knowing it, however long the store is away meanwhile.
        return known.compose(looked -> moved ? run.report(input) : run.ask(input));
    }

    /** Who only looks sees this from now on. */
    @CanIgnoreReturnValue
    private LoadedRun publish(RunState state) {
        return views.publish(
                state, steps.activity(state.runId(), state.steps().keySet()), journal.owner(state.runId()));
    }

    /** The run as whoever only looks sees it; empty when it is not loaded. */
    Optional<LoadedRun> look(String runId) {
        return loaded(runId).map(run -> publish(run.state()));
    }

    @Override
    public void does(String runId) {
        loaded(runId).ifPresent(run -> publish(run.state()));
    }

    @Override
    public void carryOut(RunActor run, Decision decision) {
        publish(decision.state());
        List<Runnable> effects = new ArrayList<>();
        if (LOG.isInfoEnabled()) {
            decision.events().forEach(event -> effects.add(() -> LOG.info("run {}: {}", run.runId(), event.text())));
        }
        decision.commands().forEach(command -> effects.add(() -> carryOut(run, command)));
        if (decision.state().condition().atRest()) {
            effects.add(() -> timers.cancel(run.runId()));
            effects.add(() -> vertx.runOnContext(later -> releaseIfOver(run)));
        }
        if (decision.state().condition() instanceof Condition.Ended) {
            effects.add(() -> runtimeEnd.ended(run));
        }
        if (!decision.events().isEmpty() && !RunSlots.holds(decision.state().condition())) {
            effects.add(this::fillSoon);
        }
        Effects.carryOutAll(effects);
    }

    private void carryOut(RunActor run, RunCommand command) {
        if (command instanceof RunCommand.Launch launch) {
            launch(launch);
        } else if (command instanceof RunCommand.StopStep stop) {
            steps.stop(run.runId(), stop.stepId(), stop.now());
        } else if (command instanceof RunCommand.Sweep sweep) {
            sweeps.sweep(run.state(), sweep, run::tell);
        } else if (command instanceof RunCommand.WakeAt wake) {
            timers.wake(run, wake.due());
        } else if (command instanceof RunCommand.Git order) {
            steps.git().carryOut(run.state(), order, run::report, cause -> gitFlawed(run, cause));
        }
    }

    private void gitFlawed(RunActor run, Throwable cause) {
        if (Trouble.isEnd(cause)) {
            LOG.debug("run {}: what it waits for in git is left to the next runtime", run.runId());
            return;
        }
        LOG.error("run {}: git could not be asked", run.runId(), cause);
        run.tell(broken(cause.toString()));
    }

    /** See {@link GitOrders#origin}. */
    Future<GitOrigin> origin(CheckWorkspace question) {
        return steps.git().origin(question);
    }

    /** The runtime ends. */
    void close() {
        steps.git().close();
    }

    @Override
    public Optional<GitRules.StepCommit> commitAfter(String runId, String stepId, StepOutcome outcome) {
        return loaded(runId).flatMap(run -> GitRules.commitAfter(run.state(), stepId, outcome));
    }

    @Override
    public void late(RunState state, String what) {
        lateInputs.note(state.runId(), state.sequence(), what, Instants.now());
    }

    /** A step that is open and not looked after would stay so for ever. */
    private void launch(RunCommand.Launch launch) {
        try {
            if (launch.lost()) {
                steps.conclude(launch.step());
            } else {
                steps.launch(launch.step(), launch.recovered());
            }
        } catch (RuntimeException | Error flaw) {
            steps.abandon(launch.step().runId(), launch.step().stepId(), flaw);
        }
    }

    @Override
    public void undecided(RunActor run, RunInput input, Throwable flaw) {
        LOG.error("run {}: {} could not be decided", run.runId(), input, flaw);
        breakOff(run, input, flaw);
    }

    @Override
    public void notCarriedOut(RunActor run, RunInput input, Throwable flaw) {
        LOG.error("run {}: what {} means could not be carried out", run.runId(), input, flaw);
        breakOff(run, input, flaw);
    }

    @Override
    public void flawed(String runId, String stepId, Throwable flaw) {
        LOG.error("run {}: step {} cannot be looked after", runId, stepId, flaw);
        flawed(runId, flaw.toString());
    }

    @Override
    public void flawed(String runId, String flaw) {
        loaded(runId).ifPresent(run -> run.tell(broken(flaw)));
    }

    private static RunInput.Broken broken(String flaw) {
        return new RunInput.Broken(Instants.now(), "an internal error: " + flaw);
    }

    /** Ends the run; where even that breaks, at least its processes. */
    private void breakOff(RunActor run, RunInput input, Throwable flaw) {
        if (input instanceof RunInput.Broken) {
            run.state().steps().keySet().forEach(stepId -> steps.stopWhateverBreaks(run.runId(), stepId));
        } else {
            run.tell(broken(flaw.toString()));
        }
    }

    @Override
    public void used(String runId, String stepId, Usage usage) {
        loaded(runId).ifPresent(run -> run.tell(new RunInput.UsageSeen(Instants.now(), stepId, usage)));
    }

    @Override
    public void retries(String runId, String stepId, OwnRetry retry) {
        loaded(runId).ifPresent(run -> run.tell(new RunInput.AgentRetries(Instants.now(), stepId, retry)));
    }

    @Override
    public void signalled(String runId, String stepId, Signal signal) {
        loaded(runId).ifPresent(run -> run.tell(new RunInput.SignalSeen(Instants.now(), stepId, signal)));
    }

    @Override
    public void ended(String runId, String stepId, StepOutcome outcome) {
        // While draining, what ends by itself is left to the next runtime, which finds it recorded.
        loaded(runId)
                .filter(run -> !draining() || run.state().condition() instanceof Condition.Stopping)
                .ifPresent(run -> run.tell(new RunInput.StepEnded(Instants.now(), stepId, outcome)));
    }

    /** Before it is known who has which signal file nobody else gets one. */
    @Override
    public Future<Capacity> room(RunActor run, RunInput input) {
        return signals.look(run.state(), input)
                .map(looked -> {
                    Optional<SignalInUse> conflict = signals.conflict(run.runId());
                    boolean unknown = !places.isOpen() && signals.has(run.runId());
                    return new Capacity(places.isFree() && !unknown, conflict);
                })
                .otherwise(unanswered -> {
                    LOG.warn(
                            "run {} waits: its signal files cannot be looked at: {}",
                            run.runId(),
                            unanswered.toString());
                    fillLater();
                    return Capacity.NONE;
                });
    }

    /** See {@link SignalClaims#reserve}. Where there is no place the run waits for one, and nobody is in its way yet. */
    Future<Optional<SignalInUse>> reserve(RunState fresh) {
        return places.isFree() ? signals.reserve(fresh) : Future.succeededFuture(Optional.empty());
    }

    /** Whether a run may start with its creation: there is a place, and its signal files are reserved for it. */
    Capacity roomToBegin(String runId) {
        return places.isFree() && places.isOpen() && signals.isReserved(runId) ? Capacity.FREE : Capacity.NONE;
    }

    /** This starts with its creation: until {@link #settle} it has its place. */
    void hold(RunState starting) {
        places.hold(starting);
    }

    /** Takes a run up whose creation, and perhaps its start, is durable. */
    RunActor begin(Decision created) {
        if (!journal.isOwn(created.state().runId())) {
            // Its lease was lost meanwhile: whoever has the run by now begins it.
            return new RunActor(created.state(), journal, this);
        }
        RunActor run = take(created.state());
        if (RunSlots.holds(created.state().condition())) {
            signals.adopt(run.runId());
            run.begin(created);
        }
        return run;
    }

    /** The run was created, or it was not. */
    void settle(String runId) {
        signals.settle(runId);
        places.release(runId);
        fillSoon();
    }

    /** Once for all that happens in this turn of the event loop. */
    private void fillSoon() {
        if (!filling) {
            filling = true;
            vertx.runOnContext(later -> {
                filling = false;
                places.fill();
            });
        }
    }

    /** Whether this run was created nobody knows: if it was, it goes on as soon as the store answers. */
    void takeUpIfCreated(String runId) {
        vertx.setTimer(StoreRetry.AGAIN_AFTER.toMillis(), fired -> {
            if (loaded(runId).isEmpty() && !draining()) {
                entering(() -> recover(runId))
                        .onSuccess(known -> fillSoon())
                        .onFailure(cause -> notTakenUp(runId, cause));
            }
        });
    }

    private void notTakenUp(String runId, Throwable cause) {
        if (cause instanceof StoreAwayException) {
            takeUpIfCreated(runId);
        } else {
            LOG.error("run {} cannot be taken up", runId, cause);
        }
    }

    private void fillLater() {
        vertx.setTimer(StoreRetry.AGAIN_AFTER.toMillis(), fired -> places.fill());
    }

    @Override
    public void undone(RunActor run) {
        fillLater();
    }

    @Override
    public void storeFailed(RunActor run, Throwable cause) {
        trouble.failed(run, cause);
    }

    /** Does this work, which may make a run; nothing is settled meanwhile. */
    <T> Future<T> entering(Supplier<Future<T>> work) {
        entering++;
        return Future.succeededFuture().compose(begun -> work.get()).onComplete(over -> entering--);
    }

    /** What goes on by itself. Where nothing does, and nothing is about to, no more work is taken from this turn on. */
    Settled settle() {
        List<String> going = runs.values().stream()
                .filter(run -> !run.state().condition().atRest())
                .map(RunActor::runId)
                .sorted()
                .toList();
        boolean used = runs.values().stream().anyMatch(RunActor::inUse);
        boolean over = going.isEmpty() && !used && entering == 0 && loading.isEmpty();
        if (over) {
            places.close();
        }
        return new Settled(over, going);
    }

    /** See {@link RuntimeEnd#interrupt}. */
    Future<Void> interrupt(String runId, String why) {
        return runtimeEnd.interrupt(runId, why);
    }

    /** See {@link RuntimeEnd#hurry}. */
    Future<Void> hurryEnd() {
        return runtimeEnd.hurry();
    }

    /** Takes no more work; see {@link RuntimeEnd#interruptDependent}. */
    Future<Void> drain() {
        places.close();
        return runtimeEnd.interruptDependent();
    }

    /** Ends the processes of a run whose stop cannot be recorded yet; it is recorded as soon as it can be. */
    void stopUnrecorded(RunActor run, RunInput.Stop stop) {
        LOG.error("run {}: a stop cannot be recorded, its processes are ended all the same", run.runId());
        run.tell(stop);
        run.state().steps().keySet().forEach(stepId -> steps.stop(run.runId(), stepId, stop.now()));
    }
}
