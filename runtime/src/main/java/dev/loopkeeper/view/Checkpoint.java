package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * The readable projection of a run: in JSON the fields of the run object, with those of this record around them.
 *
 * @param formatVersion of the projection, from 1
 * @param manifest as it was given
 * @param items of all {@code each} phases that were begun, in order
 * @param iterationHistory iterations that were tried again, as they were before, oldest first
 */
public record Checkpoint(
        int formatVersion,
        @JsonUnwrapped Run run,
        JsonNode manifest,
        List<Item> items,
        List<JsonNode> iterationHistory) {}
