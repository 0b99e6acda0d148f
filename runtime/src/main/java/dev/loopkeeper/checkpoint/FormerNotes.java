package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/**
 * Notes of ended steps as they were recorded when what they come to was judged at each reading. The judgement is that of
 * then and follows no change of the rules.
 */
final class FormerNotes {
    private static final Set<String> REJECTING = Set.of("STALLED");
    private static final Set<String> FAILING = Set.of("ANOMALY");

    private FormerNotes() {}

    /** Adds the outcome to every note in this tree that has none. */
    static void judge(JsonNode tree) {
        if (tree instanceof ObjectNode note && isNote(note)) {
            note.put("outcome", outcome(note));
        }
        tree.forEach(FormerNotes::judge);
    }

    private static boolean isNote(ObjectNode note) {
        return note.has("fingerprint") && note.has("optsOut") && note.has("discontinues") && !note.has("outcome");
    }

    private static String outcome(ObjectNode note) {
        String verdict = note.path("verdict").asText();
        String determination = note.path("determination").asText();
        if (note.path("failed").asBoolean() || verdict.equals("failed")) {
            return "failed";
        }
        if (verdict.equals("rejected") || REJECTING.contains(determination)) {
            return "rejected";
        }
        return FAILING.contains(determination) ? "failed" : "approved";
    }
}
