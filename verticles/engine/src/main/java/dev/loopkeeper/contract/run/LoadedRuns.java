package dev.loopkeeper.contract.run;

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
 * The runs that are loaded, as they are durable, for whoever in this {@link Vertx} only looks: without a question to
 * their scheduler. One that is not here is at rest, or no run: {@link RunChannels#GET} tells. Whoever hears an event
 * may look here a moment before it is known; {@link LoadedRun#sequence} tells, and the scheduler knows. Thread-safe.
 */
public final class LoadedRuns implements Shareable {
    private static final String NAME = "loopkeeper.runs";

    private final Map<String, LoadedRun> runs = new ConcurrentHashMap<>();

    private LoadedRuns() {}

    /** Those of this Vert.x, as is its event bus. */
    public static LoadedRuns in(Vertx vertx) {
        LocalMap<String, LoadedRuns> one = vertx.sharedData().getLocalMap(NAME);
        return one.computeIfAbsent(NAME, absent -> new LoadedRuns());
    }

    /** The run as it is now; empty when it is not loaded. */
    public Optional<LoadedRun> find(String runId) {
        return Optional.ofNullable(runs.get(runId));
    }

    /** This run object with what the run's newest step does, if it is loaded and does anything; never changed itself. */
    public JsonNode doing(String runId, JsonNode run) {
        Optional<Activity> activity = find(runId).flatMap(LoadedRun::activity);
        return activity.isEmpty() ? run : with(run, activity);
    }

    /** This run object with what its newest step does; never changed itself. */
    public static JsonNode with(JsonNode run, Optional<Activity> activity) {
        if (!(run instanceof ObjectNode known)) {
            return run;
        }
        ObjectNode view = Json.MAPPER.createObjectNode();
        view.setAll(known);
        return view.set("activity", Json.MAPPER.valueToTree(activity));
    }

    /** How many there are. */
    public int count() {
        return runs.size();
    }

    /** This is durable; by the run's scheduler alone. */
    @CanIgnoreReturnValue
    public LoadedRun publish(RunState state, Optional<Activity> activity) {
        return publish(state, activity, Optional.empty());
    }

    /** The same of a run that a node of a cluster carries out. */
    @CanIgnoreReturnValue
    public LoadedRun publish(RunState state, Optional<Activity> activity, Optional<Owner> owner) {
        LoadedRun known = runs.get(state.runId());
        if (known != null && known.is(state, activity, owner)) {
            return known;
        }
        LoadedRun now = new LoadedRun(state, activity, owner);
        runs.put(state.runId(), now);
        return now;
    }

    /** It is not loaded any more. */
    public void withdraw(String runId) {
        runs.remove(runId);
    }

    /** None is loaded any more. */
    public void clear() {
        runs.clear();
    }
}
