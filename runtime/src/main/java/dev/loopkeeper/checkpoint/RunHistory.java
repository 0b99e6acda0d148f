package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunState;
import java.time.Instant;

/** Folds a run's events into its state. */
public final class RunHistory {
    private RunHistory() {}

    /**
     * The state after the first event.
     *
     * @throws CheckpointException when it is not {@code run.created}
     */
    public static RunState begin(String type, JsonNode data, Instant at) {
        if (!(EventJson.read(type, data) instanceof RunCreated created)) {
            throw new CheckpointException("a run's first event must be run.created, was " + type);
        }
        return created.begin(at);
    }

    /**
     * Whether the data show that the run has no notifications, as most have: parsing the complete manifest costs more
     * than the rest of the event. False means unknown.
     */
    public static boolean hasNoNotifications(JsonNode created) {
        JsonNode notifications = created.path("resolved").path("notifications");
        return notifications.isArray() && notifications.isEmpty();
    }

    /** The state after a further event. */
    public static RunState next(RunState state, String type, JsonNode data, Instant at) {
        RunEvent event = EventJson.read(type, data);
        return RunMachine.apply(state, event, at);
    }
}
