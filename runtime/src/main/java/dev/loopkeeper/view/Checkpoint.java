package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * The readable projection of a run: in JSON the fields of the run object, with those of this record around them.
 *
 * @param formatVersion of the projection, from 1
 * @param manifest the original document
 * @param items of all begun {@code each} phases, in order
 * @param iterationHistory retried iterations in their earlier form, oldest first
 */
public record Checkpoint(
        int formatVersion,
        @JsonUnwrapped Run run,
        JsonNode manifest,
        List<Item> items,
        List<JsonNode> iterationHistory) {}
