package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.ViewJson;

/**
 * What a server or a store told: as it was told, for {@code --json}, and as the record that it is.
 *
 * @param kind of the record
 */
public record Document<V extends Record>(JsonNode json, Class<V> kind) {
    private static final String DAMAGE = "damage";

    /** The record; one that is damaged, and what this version does not know as one, ends the command. */
    public V view() {
        if (json.hasNonNull(DAMAGE)) {
            throw CommandFailure.unreachable(
                    "the record of this run is damaged: " + json.get(DAMAGE).asText());
        }
        try {
            return ViewJson.read(json, kind);
        } catch (CheckpointException strange) {
            throw CommandFailure.unreachable(strange.getMessage());
        }
    }
}
