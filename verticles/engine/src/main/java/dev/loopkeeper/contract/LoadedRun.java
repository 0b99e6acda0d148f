package dev.loopkeeper.contract;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.view.Activity;
import dev.loopkeeper.view.Owner;
import dev.loopkeeper.work.Instants;
import java.util.Optional;

/**
 * A snapshot of a loaded run.
 *
 * @param activity of its newest step
 * @param owner node that executes it; empty without a cluster
 */
public record LoadedRun(RunState state, Optional<Activity> activity, Optional<Owner> owner) {
    /** Returns the API's run object with owner and activity. */
    public ObjectNode view() {
        ObjectNode view = ViewJson.write(RunView.of(state, Instants.now()));
        owner.ifPresent(node -> view.set("owner", Json.MAPPER.valueToTree(node)));
        view.set("activity", Json.MAPPER.valueToTree(activity));
        return view;
    }
}
