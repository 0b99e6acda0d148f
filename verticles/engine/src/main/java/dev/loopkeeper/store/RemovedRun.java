package dev.loopkeeper.store;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A run that another process has removed from the store while this one may keep files of it.
 *
 * @param view what lists showed of it last, as {@link RunRow#view}
 */
public record RemovedRun(String runId, JsonNode view) {}
