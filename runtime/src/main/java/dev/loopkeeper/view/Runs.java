package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Optional;

/**
 * A page of runs, {@code {"runs": [...], "nextCursor": null}}.
 *
 * @param runs newest first
 * @param nextCursor cursor of the next page; absent on the last
 */
public record Runs(List<Entry> runs, Optional<String> nextCursor) {
    /**
     * A run object, or {@code {"runId": "demo-1", "damage": "..."}} for a run with an unreadable record.
     *
     * @param run absent for a damaged record
     * @param damage the problem of its record, if any
     */
    public record Entry(String runId, Optional<Run> run, Optional<String> damage) {
        @JsonCreator
        static Entry read(@JsonUnwrapped Run run, @JsonProperty("damage") Optional<String> damage) {
            return new Entry(run.runId(), Optional.of(run).filter(entry -> entry.status() != null), damage);
        }

        @JsonValue
        Record json() {
            return run.<Record>map(intact -> intact).orElseGet(() -> new Damaged(runId, damage));
        }

        private record Damaged(String runId, Optional<String> damage) {}
    }
}
