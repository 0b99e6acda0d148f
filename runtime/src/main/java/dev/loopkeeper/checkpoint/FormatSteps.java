package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Upgrades a document to the current format, one step per {@code formatVersion}; a document without one has version 1.
 * Format 1 is that of release 0.1.0; new steps are only appended.
 */
public final class FormatSteps {
    private static final String VERSION = "formatVersion";
    private static final int FIRST = 1;

    private final String what;
    private final List<UnaryOperator<ObjectNode>> steps;

    /**
     * @param what names the document in messages, e.g. {@code a snapshot}
     * @param steps each upgrades one version to the next, beginning with format 1
     */
    public FormatSteps(String what, List<UnaryOperator<ObjectNode>> steps) {
        this.what = what;
        this.steps = List.copyOf(steps);
    }

    /** The version that this build writes. */
    public int current() {
        return FIRST + steps.size();
    }

    /**
     * The document in the current format; an older one is copied first.
     *
     * @throws CheckpointException for an unknown version
     */
    public ObjectNode upgrade(JsonNode document) {
        int version = document.path(VERSION).asInt(FIRST);
        if (!(document instanceof ObjectNode object) || version < FIRST || version > current()) {
            throw new CheckpointException(what + " of format " + version + ", the known format is " + current()
                    + ": use the version of Loopkeeper that wrote it");
        }
        if (version == current()) {
            return object;
        }
        ObjectNode upgraded = object.deepCopy();
        for (UnaryOperator<ObjectNode> step : steps.subList(version - FIRST, steps.size())) {
            upgraded = step.apply(upgraded);
        }
        return upgraded.put(VERSION, current());
    }
}
