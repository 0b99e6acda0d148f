package dev.loopkeeper.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Set;

/**
 * An event as it is stored and published, the envelope of every feed.
 *
 * @param sequence from 1, rises by 1 within a run
 * @param type e.g. {@code step.finished}
 */
public record StoredEvent(String runId, long sequence, Instant at, String type, int execution, JsonNode data) {
    private static final Set<String> OF_STEPS = Set.of("step.started", "step.finished", "workspace.committed");

    /** Id of the step that starts, ends or commits; null for other events. Stores index events by it. */
    public String stepId() {
        return OF_STEPS.contains(type) ? data.path("stepId").textValue() : null;
    }
}
