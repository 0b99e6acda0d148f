package dev.loopkeeper.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.view.Activity;
import dev.loopkeeper.view.Owner;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The loaded runs in their durable state, for readers in this {@link Vertx}. A run that is not here is idle or unknown;
 * query {@link RunChannels#GET}. A subscriber may receive an event shortly before it is known here. Thread-safe.
 */
public final class LoadedRuns implements Shareable {
    private static final String NAME = "loopkeeper.runs";

    private final Map<String, LoadedRun> runs = new ConcurrentHashMap<>();

    private LoadedRuns() {}

    /** Returns the loaded runs of this Vert.x. */
    public static LoadedRuns in(Vertx vertx) {
        LocalMap<String, LoadedRuns> one = vertx.sharedData().getLocalMap(NAME);
        return one.computeIfAbsent(NAME, absent -> new LoadedRuns());
    }

    /** Returns the run as it is now; empty if it is not loaded. */
    public Optional<LoadedRun> find(String runId) {
        return Optional.ofNullable(runs.get(runId));
    }

    /**
     * Returns this run object with the activity of its newest step, if it is loaded and has one. Does not change the
     * object.
     */
    public JsonNode withActivity(String runId, JsonNode run) {
        Optional<Activity> activity = find(runId).flatMap(LoadedRun::activity);
        return activity.isEmpty() ? run : with(run, activity);
    }

    /** Returns this run object with an activity. Does not change the object. */
    public static JsonNode with(JsonNode run, Optional<Activity> activity) {
        if (!(run instanceof ObjectNode known)) {
            return run;
        }
        ObjectNode view = Json.MAPPER.createObjectNode();
        view.setAll(known);
        return view.set("activity", Json.MAPPER.valueToTree(activity));
    }

    /** Returns the number of loaded runs. */
    public int count() {
        return runs.size();
    }

    /**
     * Publishes a durable state. Only the run's scheduler may call it.
     *
     * @param owner node that executes it; empty without a cluster
     */
    @CanIgnoreReturnValue
    public LoadedRun publish(RunState state, Optional<Activity> activity, Optional<Owner> owner) {
        LoadedRun now = new LoadedRun(state, activity, owner);
        runs.put(state.runId(), now);
        return now;
    }

    /** Removes a run that is no longer loaded. */
    public void withdraw(String runId) {
        runs.remove(runId);
    }

    /** Removes all runs. */
    public void clear() {
        runs.clear();
    }
}
