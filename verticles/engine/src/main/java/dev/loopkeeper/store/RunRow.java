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
 * The row of a run for lists and single queries, replaced with each append.
 *
 * @param status wire name, e.g. {@code paused}
 * @param view the API's run object after its newest event
 */
public record RunRow(String runId, String name, String status, Instant createdAt, JsonNode view) {
    /** The row for this state. */
    public static RunRow of(RunState state) {
        Run run = RunView.of(state);
        return new RunRow(run.runId(), run.name(), run.status().wire(), run.createdAt(), ViewJson.write(run));
    }

    /** Returns the run's workspace; empty if its record is damaged. */
    public String workspace() {
        return view.path("workspace").asText();
    }

    /** Returns the run object with the active time of a running run up to now. */
    public JsonNode shown(Instant now) {
        return ViewJson.shown(view, now);
    }

    /** Returns the run; empty if its record is damaged or newer than this version. */
    public Optional<Run> run() {
        return ViewJson.intact(view);
    }

    /** Returns what a start requires; empty if {@link #run} is. */
    public Optional<RunOutline> outline() {
        return ViewJson.outline(view);
    }
}
