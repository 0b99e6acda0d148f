package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.read.FormerManifest;

/**
 * The {@code formatVersion} in the data of each event, and how older data become what is read today. Data without one
 * are of format 1. A step changes what it finds only by what was true when it was written.
 *
 * @param type of the event
 */
record EventFormat(String type, JsonNode data) {
    /** What is written. */
    static final int CURRENT = 2;

    private static final String VERSION = "formatVersion";
    private static final int FIRST = 1;

    /** These data with their version. */
    static JsonNode stamped(JsonNode data) {
        return data instanceof ObjectNode object ? object.put(VERSION, CURRENT) : data;
    }

    /** The event in today's form. Fails with {@link CheckpointException} for a version that is newer than known. */
    static EventFormat upgrade(String type, JsonNode data) {
        int version = data.path(VERSION).asInt(FIRST);
        if (version < FIRST || version > CURRENT) {
            throw new CheckpointException("an event " + type + " of format " + version + ", known is " + CURRENT
                    + ": use the version of Loopkeeper that wrote it");
        }
        return version == FIRST && data instanceof ObjectNode
                ? ofFormat1(type, data.deepCopy())
                : new EventFormat(type, data);
    }

    private static EventFormat ofFormat1(String type, ObjectNode data) {
        switch (type) {
            case "run.created" -> data.set("resolved", ManifestJson.write(FormerManifest.read(data.path("manifest"))));
            case "run.ended" -> FormerSums.unknownIsNull(data.at("/termination/usage"));
            case "step.finished", "run.pausing", "run.paused", "run.resumed" -> FormerNotes.judge(data);
            default -> {}
        }
        boolean waits = type.equals("run.resumed") && data.path("queued").asBoolean();
        return new EventFormat(waits ? "run.queued" : type, data);
    }
}
