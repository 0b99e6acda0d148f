package dev.loopkeeper.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;

/**
 * Takes out of a document what a manifest gives its agents in their environment: values there are often keys, and
 * whoever may read runs need not know them. The names stay.
 */
public final class Redaction {
    private static final String HIDDEN = "(hidden)";
    /** As it was given, and as it is recorded with its defaults. */
    private static final List<String> MANIFESTS = List.of("manifest", "resolved");

    private static final String ENV = "env";

    private Redaction() {}

    /** The document itself where it has no manifest with an environment, else a copy. */
    public static JsonNode of(JsonNode document) {
        if (MANIFESTS.stream().allMatch(name -> document.path(name).findValue(ENV) == null)) {
            return document;
        }
        JsonNode copy = document.deepCopy();
        for (String name : MANIFESTS) {
            hide(copy.path(name));
            copy.path(name).path("agents").forEach(Redaction::hide);
        }
        return copy;
    }

    private static void hide(JsonNode holder) {
        if (holder.path(ENV) instanceof ObjectNode env) {
            env.properties().forEach(variable -> variable.setValue(TextNode.valueOf(HIDDEN)));
        }
    }
}
