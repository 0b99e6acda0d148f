package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * Takes out of a document what a manifest gives its agents in their environment: values there are often keys, and
 * whoever may read runs need not know them. The names stay.
 */
final class Redaction {
    private static final String HIDDEN = "(hidden)";
    private static final String MANIFEST = "manifest";
    private static final String ENV = "env";

    private Redaction() {}

    /** The document itself where it has no manifest with an environment, else a copy. */
    static JsonNode of(JsonNode document) {
        if (document.path(MANIFEST).findValue(ENV) == null) {
            return document;
        }
        JsonNode copy = document.deepCopy();
        JsonNode manifest = copy.path(MANIFEST);
        hide(manifest);
        manifest.path("agents").forEach(Redaction::hide);
        return copy;
    }

    private static void hide(JsonNode holder) {
        if (holder.path(ENV) instanceof ObjectNode env) {
            env.properties().forEach(variable -> variable.setValue(TextNode.valueOf(HIDDEN)));
        }
    }
}
