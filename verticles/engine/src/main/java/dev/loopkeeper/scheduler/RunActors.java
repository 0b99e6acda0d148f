package dev.loopkeeper.scheduler;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.run.LoadedRun;
import dev.loopkeeper.contract.run.LoadedRuns;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.view.Activity;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads runs that are carried out here, shows them to whoever only looks, and lets them go: those that nobody uses, and
 * those that are another's by now. Used from one context only.
 */
final class RunActors {
    private static final Logger LOG = LoggerFactory.getLogger(RunActors.class);

    private final RunJournal journal;
    private final LoadedRuns views;
    private final Map<String, RunActor> runs;
    private final SignalClaims signals;
    private final WakeTimers timers;
    private final Function<RunState, RunActor> make;
    private final Function<RunState, Optional<Activity>> activity;
    private final Map<String, Future<Optional<RunActor>>> loading = new HashMap<>();
    /** Rises when all runs are dropped: what was read before counts no more. */
    private int era;

    /**
     * Loads none yet.
     *
     * @param runs those that are loaded, by id; changed here alone
     * @param make gives a run that is loaded its actor
     * @param activity what the open steps of a run do
     */
    RunActors(
            RunJournal journal,
            LoadedRuns views,
            Map<String, RunActor> runs,
            SignalClaims signals,
            WakeTimers timers,
            Function<RunState, RunActor> make,
            Function<RunState, Optional<Activity>> activity) {
        this.journal = journal;
        this.views = views;
        this.runs = runs;
        this.signals = signals;
        this.timers = timers;
        this.make = make;
        this.activity = activity;
    }

    /** The run, loaded from the store where need be; empty when there is none. */
    Future<Optional<RunActor>> find(String runId) {
        RunActor known = runs.get(runId);
        if (known != null) {
            return Future.succeededFuture(Optional.of(known));
        }
        Future<Optional<RunActor>> underWay = loading.get(runId);
        return (underWay == null ? load(runId) : underWay).compose(this::unlessReleased);
    }

    private Future<Optional<RunActor>> load(String runId) {
        int asked = era;
        Future<Optional<RunActor>> actor = journal.load(runId)
                .map(state -> state.filter(read -> asked == era).map(this::take));
        loading.put(runId, actor); // before it is removed: a store that refuses at once has answered by now
        actor.onComplete(answer -> loading.remove(runId));
        return actor;
    }

    /** Of several who wait for it, one may be done with it, and have let it go, before the next one hears of it. */
    private Future<Optional<RunActor>> unlessReleased(Optional<RunActor> found) {
        return found.filter(run -> run.isDropped() && journal.isOwn(run.runId()))
                .map(run -> find(run.runId()))
                .orElseGet(() -> Future.succeededFuture(found));
    }

    /** Whether one is being loaded. */
    boolean isLoading() {
        return !loading.isEmpty();
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

    /** The run, only if it is loaded. */
    Optional<RunActor> loaded(String runId) {
        return Optional.ofNullable(runs.get(runId));
    }

    /** Those that are loaded now. */
    List<RunActor> all() {
        return List.copyOf(runs.values());
    }

    /** Which leases of its node these are: where it has risen, what was begun before counts no more. */
    int era() {
        return era;
    }

    /** Holds a run from now on. */
    RunActor take(RunState state) {
        return runs.computeIfAbsent(state.runId(), id -> {
            RunExplanation.diagnosis(state).ifPresent(text -> LOG.info("run {} {}", state.runId(), text));
            publish(state);
            return make.apply(state);
        });
    }

    /** Takes a run up whose creation, and perhaps its start, is durable. */
    RunActor begin(Decision created) {
        if (!journal.isOwn(created.state().runId())) {
            // Its lease was lost meanwhile: whoever has the run by now begins it.
            return make.apply(created.state());
        }
        RunActor run = take(created.state());
        if (RunSlots.holds(created.state().condition())) {
            signals.adopt(run.runId());
            run.begin(created);
        }
        return run;
    }

    /** The run object of this state, with who carries it out. */
    ObjectNode view(RunState state) {
        ObjectNode view = ViewJson.write(RunView.of(state, Instants.now()));
        journal.owner(state.runId()).ifPresent(owner -> view.set("owner", Json.MAPPER.valueToTree(owner)));
        return view;
    }

    /** Who only looks sees this from now on. */
    @CanIgnoreReturnValue
    LoadedRun publish(RunState state) {
        return views.publish(state, activity.apply(state), journal.owner(state.runId()));
    }

    /** The run as whoever only looks sees it; empty when it is not loaded. */
    Optional<LoadedRun> look(String runId) {
        return loaded(runId).map(run -> publish(run.state()));
    }

    /**
     * Lets a run go that nobody uses and that does nothing by itself: an ended one, or one that waits for a person.
     * Whoever asks for it again gets it from the store. So thousands of paused runs cost no memory.
     */
    void releaseIfOver(RunActor run) {
        if (run.state().condition().atRest() && !run.inUse()) {
            release(run);
        }
    }

    /**
     * One that was released before may have been loaded again: what is kept by its name is that one's. So whatever comes
     * back to this one, such as an answer of git, changes and shows nothing from now on.
     */
    private void release(RunActor run) {
        if (runs.remove(run.runId(), run)) {
            timers.cancel(run.runId());
            views.withdraw(run.runId());
            signals.forget(run.runId());
        }
        run.drop(new StoreUnavailableException("run " + run.runId() + " is not carried out here any more", null));
    }

    /** The store has removed these runs: what is held of them goes too. */
    void forget(List<String> runIds) {
        for (String runId : runIds) {
            loaded(runId).ifPresent(this::releaseIfOver);
            journal.forget(runId);
        }
    }

    /** Forgets these of the runs that wait for a place, and says which: another process carries them out from now on. */
    List<String> letGo(List<String> runIds, Set<String> waiting) {
        List<String> gone = runIds.stream()
                .filter(waiting::contains)
                .filter(runId -> !loading.containsKey(runId) && !runs.get(runId).inUse())
                .toList();
        gone.forEach(runId -> {
            journal.release(runId);
            drop(runs.get(runId));
        });
        return gone;
    }

    /** Forgets a run that is not to be carried out here any more: what comes of it changes nothing. */
    void drop(RunActor run) {
        release(run);
        journal.forget(run.runId());
    }

    /** Forgets all. */
    void dropAll() {
        era++;
        loading.clear();
        all().forEach(this::drop);
    }
}
