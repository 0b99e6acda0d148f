package dev.loopkeeper.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * An event as it is stored and published, the envelope of every feed.
 *
 * @param sequence from 1, rises by 1 within a run
 * @param type e.g. {@code step.finished}
 */
public record StoredEvent(String runId, long sequence, Instant at, String type, int execution, JsonNode data) {}
