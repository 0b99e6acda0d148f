package dev.loopkeeper.store;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A run that another process has removed from the store, and of which this process may have files.
 *
 * @param view its last {@link RunRow#view}
 */
public record RemovedRun(String runId, JsonNode view) {}
