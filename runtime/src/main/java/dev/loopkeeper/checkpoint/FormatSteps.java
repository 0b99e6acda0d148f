package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Brings a document to the present format by its {@code formatVersion}, 1 where it has none, one step per version. Format 1 is that of release
 * 0.1.0; the table of steps only ever grows at its end.
 */
public final class FormatSteps {
    private static final String VERSION = "formatVersion";
    private static final int FIRST = 1;

    private final String what;
    private final List<UnaryOperator<ObjectNode>> steps;

    /**
     * A table of steps.
     *
     * @param what the document in messages, e.g. {@code a snapshot}
     * @param steps each leads from one version to the next, beginning with format 1
     */
    public FormatSteps(String what, List<UnaryOperator<ObjectNode>> steps) {
        this.what = what;
        this.steps = List.copyOf(steps);
    }

    /** The version that is written. */
    public int current() {
        return FIRST + steps.size();
    }

    /** The document in the present format; an older one is copied and left as it is. Fails with {@link CheckpointException} for an unknown version. */
    public ObjectNode upgrade(JsonNode document) {
        int version = document.path(VERSION).asInt(FIRST);
        if (!(document instanceof ObjectNode found) || version < FIRST || version > current()) {
            throw new CheckpointException(what + " of format " + version + ", known is " + current()
                    + ": use the version of Loopkeeper that wrote it");
        }
        if (version == current()) {
            return found;
        }
        ObjectNode upgraded = found.deepCopy();
        for (UnaryOperator<ObjectNode> step : steps.subList(version - FIRST, steps.size())) {
            upgraded = step.apply(upgraded);
        }
        return upgraded.put(VERSION, current());
    }
}
