package dev.loopkeeper.scheduler;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.LoadedRun;
import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.contract.SchedulerChannels.RunActivity;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the runs that are executed here, publishes their views, and releases actors that are idle or belong to another
 * node. Used from one context only.
 */
final class RunActors {
    private static final Logger LOG = LoggerFactory.getLogger(RunActors.class);

    private final Scheduler scheduler;
    private final RunJournal journal;
    private final LoadedRuns views;
    private final Map<String, RunActor> runs;
    private final Map<String, Future<Optional<RunActor>>> loading = new HashMap<>();
    /** Increases when all runs are dropped, which invalidates everything read before. */
    private int era;
    /** Runs whose creation was not confirmed. Only their recovery loads them, because it launches what is open. */
    private final Set<String> uncertain = new HashSet<>();

    RunActors(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.journal = scheduler.journal;
        this.views = LoadedRuns.in(scheduler.vertx);
        this.runs = scheduler.runs;
    }

    /** Passes this to the run, if it is loaded. */
    void deliver(String runId, RunInput input) {
        loaded(runId).ifPresent(run -> run.deliver(input));
    }

    /** Builds the input that ends a run because of an internal error. */
    static RunInput.Broken broken(String failure) {
        return new RunInput.Broken(Instants.now(), "an internal error: " + failure);
    }

    /** An internal error: this step cannot be supervised, so it and its run must end. */
    void failed(String runId, String stepId, Throwable failure) {
        LOG.error("run {}: step {} cannot be supervised", runId, stepId, failure);
        deliver(runId, broken(failure.toString()));
    }

    /** Does the same, once for a step; its output is not read again before its end. */
    void failed(OpenedStep step, Throwable failure) {
        if (step.beginFailure()) {
            failed(step.spec().runId(), step.spec().stepId(), failure);
        }
    }

    /** Returns the run, loading it from the store where necessary; empty when there is none. */
    Future<Optional<RunActor>> find(String runId) {
        RunActor known = runs.get(runId);
        if (known != null) {
            return Future.succeededFuture(Optional.of(known));
        }
        if (uncertain.contains(runId)) {
            return Future.failedFuture(
                    new StoreUnavailableException("the creation of run " + runId + " is not confirmed yet", null));
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

    /** The store did not answer whether this run was created; it is not loaded before {@link #confirm}. */
    void doubt(String runId) {
        uncertain.add(runId);
    }

    /** The caller loads the run now and recovers it. */
    void confirm(String runId) {
        uncertain.remove(runId);
    }

    /** Whether any run is being loaded. */
    boolean isLoading() {
        return !loading.isEmpty();
    }

    /** Whether this node executes the run, so that it may be loaded here. */
    boolean executes(String runId) {
        return runs.containsKey(runId) || (journal.isOwn(runId) && !uncertain.contains(runId));
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
            return new RunActor(state, scheduler);
        });
    }

    /** Adds a run whose creation, and possibly its start, is durable. */
    RunActor begin(Decision created) {
        if (!journal.isOwn(created.state().runId())) {
            // The lease was lost in between: the new owner of the run begins it.
            return new RunActor(created.state(), scheduler);
        }
        RunActor run = take(created.state());
        if (RunSlots.holds(created.state().condition())) {
            scheduler.signals.adopt(run.runId());
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
        return views.publish(
                state, scheduler.opened.activity(state.runId(), state.steps().keySet()), journal.owner(state.runId()));
    }

    /** Returns what the open steps of a run do; nothing where it is not loaded. */
    RunActivity activity(String runId) {
        return loaded(runId)
                .map(run ->
                        scheduler.opened.runActivity(runId, run.state().steps().keySet()))
                .orElse(RunActivity.NOTHING);
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
            views.withdraw(run.runId());
            scheduler.signals.forget(run.runId());
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
    List<String> releaseQueued(List<String> runIds) {
        Set<String> waiting = Set.copyOf(scheduler.capacity.waiting());
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
