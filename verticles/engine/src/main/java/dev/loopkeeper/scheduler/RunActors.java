package dev.loopkeeper.scheduler;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.LoadedRun;
import dev.loopkeeper.contract.LoadedRuns;
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
 * Loads the runs that are executed here, publishes their views, and releases actors that are idle or belong to another
 * node. Used from one context only.
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
    /** Increases when all runs are dropped, which invalidates everything read before. */
    private int era;

    /**
     * Creates the registry without loading a run.
     *
     * @param runs loaded runs by id; changed here only
     * @param make creates the actor of a loaded run
     * @param activity current activity of a run's open steps
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

    /** Returns the run, loading it from the store where necessary; empty when there is none. */
    Future<Optional<RunActor>> find(String runId) {
        RunActor known = runs.get(runId);
        if (known != null) {
            return Future.succeededFuture(Optional.of(known));
        }
        Future<Optional<RunActor>> inProgress = loading.get(runId);
        return (inProgress == null ? load(runId) : inProgress).compose(this::unlessReleased);
    }

    private Future<Optional<RunActor>> load(String runId) {
        int asked = era;
        Future<Optional<RunActor>> actor = journal.load(runId)
                .map(state -> state.filter(read -> asked == era).map(this::take));
        loading.put(runId, actor); // put before the removal below, since a failed future completes at once
        actor.onComplete(answer -> loading.remove(runId));
        return actor;
    }

    /** Loads the run again if an earlier caller has already released it. */
    private Future<Optional<RunActor>> unlessReleased(Optional<RunActor> found) {
        return found.filter(run -> run.isDropped() && journal.isOwn(run.runId()))
                .map(run -> find(run.runId()))
                .orElseGet(() -> Future.succeededFuture(found));
    }

    /** Whether any run is being loaded. */
    boolean isLoading() {
        return !loading.isEmpty();
    }

    /** Whether this node executes the run, so that it may be loaded here. */
    boolean executes(String runId) {
        return runs.containsKey(runId) || journal.isOwn(runId);
    }

    /** Reads the durable state without loading the run; empty when there is none. */
    Future<Optional<RunState>> read(String runId) {
        return journal.load(runId);
    }

    /** Returns the state of the run, loaded where it is executed here, else only read. */
    Future<Optional<RunState>> known(String runId) {
        return executes(runId) ? find(runId).map(run -> run.map(RunActor::state)) : read(runId);
    }

    /** Has the projection of the run written from its durable state; not where that cannot be read. */
    Future<Void> project(String runId) {
        Future<Optional<RunState>> state = loaded(runId)
                .map(run -> Future.succeededFuture(Optional.of(run.state())))
                .orElseGet(() -> read(runId));
        return state.onSuccess(durable -> durable.ifPresent(journal::project))
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }

    /** Returns the run if it is loaded. */
    Optional<RunActor> loaded(String runId) {
        return Optional.ofNullable(runs.get(runId));
    }

    /** Returns a copy of the loaded runs. */
    List<RunActor> all() {
        return List.copyOf(runs.values());
    }

    /** Returns the lease era of this node; work of an earlier era is void. */
    int era() {
        return era;
    }

    /** Adds a run, with a new actor unless it has one. */
    RunActor take(RunState state) {
        return runs.computeIfAbsent(state.runId(), id -> {
            RunExplanation.diagnosis(state).ifPresent(text -> LOG.info("run {} {}", state.runId(), text));
            publish(state);
            return make.apply(state);
        });
    }

    /** Adds a run whose creation, and possibly its start, is durable. */
    RunActor begin(Decision created) {
        if (!journal.isOwn(created.state().runId())) {
            // The lease was lost in between: the new owner of the run begins it.
            return make.apply(created.state());
        }
        RunActor run = take(created.state());
        if (RunSlots.holds(created.state().condition())) {
            signals.adopt(run.runId());
            run.begin(created);
        }
        return run;
    }

    /** Returns the run object of this state, including its owner. */
    ObjectNode view(RunState state) {
        ObjectNode view = ViewJson.write(RunView.of(state, Instants.now()));
        journal.owner(state.runId()).ifPresent(owner -> view.set("owner", Json.MAPPER.valueToTree(owner)));
        return view;
    }

    /** Publishes this state to read-only views. */
    @CanIgnoreReturnValue
    LoadedRun publish(RunState state) {
        return views.publish(state, activity.apply(state), journal.owner(state.runId()));
    }

    /** Publishes and returns the view of the run; empty when it is not loaded. */
    Optional<LoadedRun> look(String runId) {
        return loaded(runId).map(run -> publish(run.state()));
    }

    /**
     * Releases an idle run that is at rest: one that has ended or waits for a person. The next request loads it from
     * the store, so thousands of paused runs use no memory.
     */
    void releaseIfOver(RunActor run) {
        if (run.state().condition().atRest() && !run.inUse()) {
            release(run);
        }
    }

    /**
     * Releases an actor. If a newer actor of the run is loaded, what is registered under the run's id belongs to that
     * one. The released actor ignores later results, such as answers of git.
     */
    private void release(RunActor run) {
        if (runs.remove(run.runId(), run)) {
            timers.cancel(run.runId());
            views.withdraw(run.runId());
            signals.forget(run.runId());
        }
        run.drop(new StoreUnavailableException("run " + run.runId() + " is no longer executed by this node", null));
    }

    /** Forgets runs that were removed from the store. */
    void forget(List<String> runIds) {
        for (String runId : runIds) {
            loaded(runId).ifPresent(this::releaseIfOver);
            journal.forget(runId);
        }
    }

    /**
     * Releases those of these runs that wait for a slot and returns their ids; another process executes them from now
     * on.
     */
    List<String> releaseQueued(List<String> runIds, Set<String> waiting) {
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

    /** Forgets a run that this node no longer executes; its later results are ignored. */
    void drop(RunActor run) {
        release(run);
        journal.forget(run.runId());
    }

    /** Forgets all runs. */
    void dropAll() {
        era++;
        loading.clear();
        all().forEach(this::drop);
    }
}
