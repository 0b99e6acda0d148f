package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.run.Doing;
import dev.loopkeeper.contract.run.LoadedRuns;
import dev.loopkeeper.contract.run.Settled;
import dev.loopkeeper.rules.Capacity;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts together what holds the runs that are open and carries out what is decided for them. Decides nothing itself. Used
 * from one context only.
 */
final class LoopScheduler implements RunActor.Host {
    private static final Logger LOG = LoggerFactory.getLogger(LoopScheduler.class);

    private final RunJournal journal;
    private final LateInputs lateInputs;
    private final SignalClaims signals;
    private final RunSlotQueue places;
    private final RunRoom room;
    private final RunActors actors;
    private final RunIntake intake;
    private final StepRunner steps;
    private final RuntimeEnd runtimeEnd;
    private final DecisionEffects effects;
    private final StoreRetry trouble;

    /** @param maxRuns how many runs may be under way at once; 0 = no limit */
    LoopScheduler(
            Vertx vertx,
            RunJournal journal,
            LateInputs lateInputs,
            Function<StepListener, StepRunner> steps,
            int maxRuns) {
        Map<String, RunActor> runs = new HashMap<>();
        WakeTimers timers = new WakeTimers(vertx);
        this.journal = journal;
        this.lateInputs = lateInputs;
        this.signals = new SignalClaims(vertx.eventBus(), runs);
        this.places = new RunSlotQueue(runs, signals, maxRuns);
        this.room = new RunRoom(vertx, places, signals);
        this.actors = new RunActors(
                journal,
                LoadedRuns.in(vertx),
                runs,
                signals,
                timers,
                this::actor,
                state -> steps().opened().activity(state.runId(), state.steps().keySet()));
        this.intake = new RunIntake(vertx, actors, signals, room);
        this.runtimeEnd = new RuntimeEnd(runs);
        this.steps = steps.apply(new StepReports(actors, room, runtimeEnd));
        this.effects = new DecisionEffects(vertx, actors, room, timers, this.steps, runtimeEnd);
        this.trouble = new StoreRetry(vertx, journal, actors::releaseIfOver, actors::drop);
    }

    private RunActor actor(RunState state) {
        return new RunActor(state, journal, this);
    }

    StepRunner steps() {
        return steps;
    }

    RunSlotQueue places() {
        return places;
    }

    RunRoom room() {
        return room;
    }

    RunActors actors() {
        return actors;
    }

    RunIntake intake() {
        return intake;
    }

    /** What a run does; nothing where it is not loaded. */
    Doing doing(String runId) {
        return actors.loaded(runId)
                .map(run -> steps.opened().doing(runId, run.state().steps().keySet()))
                .orElse(Doing.NOTHING);
    }

    /** Forgets all runs, which are not to be carried out here any more: what comes of them changes nothing. */
    void dropAll() {
        LOG.warn("{} runs are not carried out here any more", actors.all().size());
        intake.dropAll();
        steps.forgetAll();
        actors.dropAll();
    }

    /** See {@link RunActors#letGo}. */
    List<String> letGo(List<String> runIds) {
        return actors.letGo(runIds, Set.copyOf(places.waiting()));
    }

    @Override
    public void carryOut(RunActor run, Decision decision) {
        effects.carryOut(run, decision);
    }

    @Override
    public void late(RunState state, String what) {
        lateInputs.note(state.runId(), state.sequence(), what, Instants.now());
    }

    @Override
    public Future<Capacity> room(RunActor run, RunInput input) {
        return room.of(run.state(), input);
    }

    @Override
    public void undone(RunActor run) {
        room.fillLater();
    }

    @Override
    public void undecided(RunActor run, RunInput input, Throwable flaw) {
        LOG.error("run {}: {} could not be decided", run.runId(), name(input), flaw);
        breakOff(run, input, flaw);
    }

    @Override
    public void notCarriedOut(RunActor run, RunInput input, Throwable flaw) {
        LOG.error("run {}: what {} means could not be carried out", run.runId(), name(input), flaw);
        breakOff(run, input, flaw);
    }

    /** An input may hold a signal of a megabyte. */
    private static String name(RunInput input) {
        return input.getClass().getSimpleName();
    }

    /** Ends the run; where even that breaks, at least its processes. */
    private void breakOff(RunActor run, RunInput input, Throwable flaw) {
        if (input instanceof RunInput.Broken) {
            run.state().steps().keySet().forEach(stepId -> steps.stopWhateverBreaks(run.runId(), stepId));
        } else {
            run.tell(StepReports.broken(flaw.toString()));
        }
    }

    @Override
    public void storeFailed(RunActor run, Throwable cause) {
        trouble.failed(run, cause);
    }

    /** What goes on by itself. Where nothing does, and nothing is about to, no more work is taken from this turn on. */
    Settled settle() {
        List<RunActor> runs = actors.all();
        List<String> going = runs.stream()
                .filter(run -> !run.state().condition().atRest())
                .map(RunActor::runId)
                .sorted()
                .toList();
        boolean over = going.isEmpty() && runs.stream().noneMatch(RunActor::inUse) && !intake.isEntering();
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

    /** The runtime ends. */
    void close() {
        steps.git().close();
    }
}
