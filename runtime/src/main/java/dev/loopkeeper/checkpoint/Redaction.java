package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.manifest.Authority;
import dev.loopkeeper.manifest.NotifySpec;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Removes secrets from a document: a manifest's environment values, and of a webhook's URL all but scheme, host and port,
 * and its headers. Names stay. Readers of runs do not need these values, which may be keys or permit others to post.
 */
public final class Redaction {
    private static final String HIDDEN = "(hidden)";
    /** Keys of the manifest as it was given, and as it is recorded with its defaults. */
    private static final List<String> MANIFESTS = List.of("manifest", "resolved");

    private static final String OF_RESUME = "/request/changedManifest";

    private static final String ENV = "env";
    private static final String WEBHOOK = "webhook";
    /** Keys of the parts with webhooks, as they are given and as they are recorded with their defaults. */
    private static final List<String> RECEIVERS = List.of("notify", "notifications");

    private Redaction() {}

    /** The document itself where it has no manifest with an environment or a webhook, else a copy. */
    public static JsonNode of(JsonNode document) {
        if (manifests(document).noneMatch(Redaction::hasSecrets)) {
            return document;
        }
        JsonNode copy = document.deepCopy();
        manifests(copy).forEach(manifest -> {
            hide(manifest);
            manifest.path("agents").forEach(Redaction::hide);
            authorsOwn(manifest).forEach(part -> part.setValue(TextNode.valueOf(HIDDEN)));
            RECEIVERS.forEach(key -> manifest.path(key).forEach(Redaction::shorten));
        });
        return copy;
    }

    /** The manifests of a run's creation, and those of a resume. */
    private static Stream<JsonNode> manifests(JsonNode document) {
        return Stream.of(document, document.at(OF_RESUME))
                .flatMap(holder -> MANIFESTS.stream().map(holder::path));
    }

    private static boolean hasSecrets(JsonNode manifest) {
        return manifest.findValue(ENV) != null
                || manifest.findValue(WEBHOOK) != null
                || authorsOwn(manifest).findAny().isPresent();
    }

    /** Parts that only YAML anchors use, which may name what is hidden elsewhere. */
    private static Stream<Map.Entry<String, JsonNode>> authorsOwn(JsonNode manifest) {
        return manifest.propertyStream().filter(part -> part.getKey().startsWith("x-"));
    }

    private static void hide(JsonNode holder) {
        if (holder.path(ENV) instanceof ObjectNode env) {
            env.properties().forEach(variable -> variable.setValue(TextNode.valueOf(HIDDEN)));
        }
    }

    /** Shortens the URL of a webhook and hides its headers; the names of environment variables stay. */
    private static void shorten(JsonNode receiver) {
        if (receiver instanceof ObjectNode notified && isSecret(receiver.path(WEBHOOK))) {
            notified.put(WEBHOOK, withoutPath(receiver.path(WEBHOOK).textValue()));
        }
        receiver.path("headers").properties().stream()
                .filter(header -> isSecret(header.getValue()))
                .forEach(header -> header.setValue(TextNode.valueOf(HIDDEN)));
    }

    private static boolean isSecret(JsonNode value) {
        return value.isTextual() && NotifySpec.variable(value.textValue()).isEmpty();
    }

    private static String withoutPath(String address) {
        URI uri = URI.create(address);
        return uri.getScheme() + "://" + Authority.of(uri).map(Authority::text).orElse("") + "/" + HIDDEN;
    }
}
