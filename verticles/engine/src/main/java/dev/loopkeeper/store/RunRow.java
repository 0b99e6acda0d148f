package dev.loopkeeper.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.RunOutline;
import java.time.Instant;
import java.util.Optional;

/**
 * What lists and single look-ups show of a run, kept beside its events and replaced with each append.
 *
 * @param status wire form, e.g. {@code paused}
 * @param view the run object of the API, as it was at its newest event
 */
public record RunRow(String runId, String name, String status, Instant createdAt, JsonNode view) {
    /** Of a run in this state. */
    public static RunRow of(RunState state) {
        Run run = RunView.of(state);
        return new RunRow(run.runId(), run.name(), run.status().wire(), run.createdAt(), ViewJson.write(run));
    }

    /** The run object as it is shown now: with the time that a run under way has taken until now. */
    public JsonNode shown(Instant now) {
        return ViewJson.shown(view, now);
    }

    /** The run; empty where its record is damaged, or more than this version knows. */
    public Optional<Run> run() {
        return ViewJson.intact(view);
    }

    /** What a start must know of it; empty where {@link #run} is. */
    public Optional<RunOutline> outline() {
        return ViewJson.outline(view);
    }
}
