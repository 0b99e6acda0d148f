package dev.loopkeeper.contract;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.view.Activity;
import dev.loopkeeper.view.Owner;
import dev.loopkeeper.work.Instants;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** A snapshot of a loaded run. Its JSON is made on demand and cached while the run is idle. Thread-safe. */
public final class LoadedRun {
    private final RunState state;
    private final Optional<Activity> activity;
    private final Optional<Owner> owner;
    /** May be computed twice by concurrent readers, with the same result. */
    private volatile Buffer json;

    LoadedRun(RunState state, Optional<Activity> activity, Optional<Owner> owner) {
        this.state = state;
        this.activity = activity;
        this.owner = owner;
    }

    @SuppressWarnings("ReferenceEquality") // an equal state is only serialized again
    boolean is(RunState other, Optional<Activity> otherActivity, Optional<Owner> otherOwner) {
        return state == other && activity.equals(otherActivity) && owner.equals(otherOwner);
    }

    /** Returns the sequence of its last event. */
    public long sequence() {
        return state.sequence();
    }

    /** Returns the activity of its newest step. */
    public Optional<Activity> activity() {
        return activity;
    }

    /** Returns the API's run object with owner and activity. */
    public ObjectNode view() {
        ObjectNode view = ViewJson.write(RunView.of(state, Instants.now()));
        owner.ifPresent(node -> view.set("owner", Json.MAPPER.valueToTree(node)));
        view.set("activity", Json.MAPPER.valueToTree(activity));
        return view;
    }

    /** Returns the same as text; must not be changed. */
    public Buffer json() {
        Buffer made = json;
        if (made == null) {
            made = Buffer.buffer(view().toString());
            if (state.active().since().isEmpty()) { // otherwise its duration changes
                json = made;
            }
        }
        return made;
    }
}
