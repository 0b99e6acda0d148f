package dev.loopkeeper.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * What lists and single look-ups show of a run, kept beside its events and replaced with each append.
 *
 * @param status wire form, e.g. {@code paused}
 * @param view the run object of the API
 */
public record RunRow(String runId, String name, String status, Instant createdAt, JsonNode view) {}
