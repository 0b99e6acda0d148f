package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Brings a document with a {@code formatVersion} to the present format, one step per version. The table of steps only
 * ever grows at its end.
 */
public final class FormatSteps {
    private static final String VERSION = "formatVersion";

    private final String what;
    private final int oldest;
    private final List<UnaryOperator<ObjectNode>> steps;

    /**
     * A table of steps.
     *
     * @param what the document in messages, e.g. {@code a snapshot}
     * @param oldest the first version that can be read
     * @param steps each leads from one version to the next, beginning with {@code oldest}
     */
    public FormatSteps(String what, int oldest, List<UnaryOperator<ObjectNode>> steps) {
        this.what = what;
        this.oldest = oldest;
        this.steps = List.copyOf(steps);
    }

    /** The version that is written. */
    public int current() {
        return oldest + steps.size();
    }

    /** The document in the present format. Fails with {@link CheckpointException} for an unknown version. */
    public ObjectNode upgrade(JsonNode document) {
        int version = document.path(VERSION).asInt();
        if (!(document instanceof ObjectNode found) || version < oldest || version > current()) {
            throw new CheckpointException(what + " of format " + version + ", known is " + current()
                    + ": use the version of Loopkeeper that wrote it");
        }
        ObjectNode upgraded = found.deepCopy();
        for (UnaryOperator<ObjectNode> step : steps.subList(version - oldest, steps.size())) {
            upgraded = step.apply(upgraded);
        }
        return upgraded.put(VERSION, current());
    }
}
