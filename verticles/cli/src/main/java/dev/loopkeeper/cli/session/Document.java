package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.ViewJson;

/**
 * A document from a server or a store: the original JSON, for {@code --json}, and the record it represents.
 *
 * @param kind class of the record
 */
public record Document<V extends Record>(JsonNode json, Class<V> kind) {
    private static final String DAMAGE = "damage";

    /** Returns the document of a view that was read in this process. */
    @SuppressWarnings("unchecked") // the class of a V
    static <V extends Record> Document<V> of(V view) {
        return new Document<>(ViewJson.write(view), (Class<V>) view.getClass());
    }

    /** Returns the record. A damaged run ends the command, and so does a document that this version cannot read. */
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
