package dev.loopkeeper.contract.run;

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

/** A run as it was at one moment; made into JSON when a client asks, once while the run rests. Thread-safe. */
public final class LoadedRun {
    private final RunState state;
    private final Optional<Activity> activity;
    private final Optional<Owner> owner;
    /** Computed twice where two look at once, to the same. */
    private volatile Buffer json;

    LoadedRun(RunState state, Optional<Activity> activity, Optional<Owner> owner) {
        this.state = state;
        this.activity = activity;
        this.owner = owner;
    }

    @SuppressWarnings("ReferenceEquality") // one that only equals it is written again, which harms nobody
    boolean is(RunState other, Optional<Activity> does, Optional<Owner> its) {
        return state == other && activity.equals(does) && owner.equals(its);
    }

    /** Of the last event that it knows. */
    public long sequence() {
        return state.sequence();
    }

    /** What its newest step does. */
    public Optional<Activity> activity() {
        return activity;
    }

    /** The run object of the API, with its owner and what its newest step does. */
    public ObjectNode view() {
        ObjectNode view = ViewJson.write(RunView.of(state, Instants.now()));
        owner.ifPresent(node -> view.set("owner", Json.MAPPER.valueToTree(node)));
        view.set("activity", Json.MAPPER.valueToTree(activity));
        return view;
    }

    /** The same as text; not to be changed. */
    public Buffer json() {
        Buffer made = json;
        if (made == null) {
            made = Buffer.buffer(view().toString());
            if (state.active().since().isEmpty()) { // else it tells another time at each look
                json = made;
            }
        }
        return made;
    }
}
