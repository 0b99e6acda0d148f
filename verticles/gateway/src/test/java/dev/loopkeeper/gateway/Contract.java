package dev.loopkeeper.gateway;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Judges answers by the OpenAPI document that the server serves; knows nothing of the code that made them. */
public final class Contract {
    private static final String PROBLEM = "#/components/schemas/Problem";
    private static final JsonSchemaOptions OPTIONS = new JsonSchemaOptions()
            .setBaseUri("https://loopkeeper.test")
            .setDraft(Draft.DRAFT202012)
            .setOutputFormat(OutputFormat.Basic);

    private final JsonObject document;
    private final Map<String, Validator> validators = new ConcurrentHashMap<>();

    Contract(JsonObject document) {
        this.document = document;
    }

    /** The document as it is in the program. */
    public static Contract ofProgram() {
        return new Contract(new JsonObject(PageAssets.text("openapi.json")));
    }

    JsonObject document() {
        return document;
    }

    /** Fails unless the document describes this answer: its operation, status, type and body. */
    public void check(String method, String uri, int status, String contentType, String body) {
        String what = method + " " + uri + " -> " + status + " " + contentType + " " + body;
        Optional<JsonObject> operation = operation(method, uri.split("\\?", 2)[0]);
        if (operation.isEmpty()) {
            require(status == 404 || status == 405 || status == 403 || status == 429, "no such operation: " + what);
            valid(new JsonObject().put("$ref", PROBLEM), new JsonObject(body), what);
            return;
        }
        JsonObject listed = operation.get().getJsonObject("responses").getJsonObject(Integer.toString(status));
        require(listed != null, "no such status: " + what);
        JsonObject answer = resolved(listed);
        JsonObject content = answer.getJsonObject("content");
        if (content == null) {
            return;
        }
        String type = contentType == null ? "" : contentType.split(";", 2)[0];
        JsonObject media = content.getJsonObject(type);
        require(media != null, "no such type: " + what);
        if (type.endsWith("ndjson")) {
            body.lines().forEach(line -> valid(media.getJsonObject("schema"), new JsonObject(line), what));
        } else if (type.endsWith("json")) {
            valid(media.getJsonObject("schema"), new JsonObject(body), what);
        }
    }

    /** Fails unless this is a message of the feed. */
    public void checkFeed(String message) {
        JsonArray kinds = new JsonArray();
        for (String kind : new String[] {"FeedSnapshot", "FeedEvent", "FeedLagged", "FeedPong"}) {
            kinds.add(new JsonObject().put("$ref", "#/components/schemas/" + kind));
        }
        valid(new JsonObject().put("oneOf", kinds), new JsonObject(message), message);
    }

    /** What a reference stands for; anything else is what it is. */
    JsonObject resolved(JsonObject part) {
        String reference = part.getString("$ref");
        return reference == null
                ? part
                : (JsonObject) JsonPointer.from(reference.substring(1)).queryJson(document);
    }

    void valid(JsonObject schema, Object instance, String what) {
        OutputUnit verdict = validators
                .computeIfAbsent(schema.encode(), known -> validator(schema))
                .validate(instance);
        require(verdict.getValid(), "not as the document says: " + what + " " + verdict.getErrors());
    }

    private Validator validator(JsonObject schema) {
        // The references of the document lead into it, so its schemas come along; the validator writes into what it is
        // given.
        JsonObject schemas =
                document.getJsonObject("components").getJsonObject("schemas").copy();
        JsonObject whole = schema.copy().put("components", new JsonObject().put("schemas", schemas));
        return Validator.create(JsonSchema.of(whole), OPTIONS);
    }

    private Optional<JsonObject> operation(String method, String path) {
        String below = path.startsWith("/api/v1") ? path.substring("/api/v1".length()) : path;
        JsonObject paths = document.getJsonObject("paths");
        boolean based = path.startsWith("/api/v1");
        return paths.fieldNames().stream()
                .filter(template -> pattern(template).matcher(below).matches())
                .map(paths::getJsonObject)
                .filter(found -> isServed(found, based ? "/api/v1" : "/"))
                .map(found -> found.getJsonObject(method.toLowerCase(Locale.ROOT)))
                .filter(found -> found != null)
                .findFirst();
    }

    private boolean isServed(JsonObject path, String base) {
        return path.getJsonArray("servers", document.getJsonArray("servers"))
                .contains(new JsonObject().put("url", base));
    }

    private static Pattern pattern(String template) {
        return Pattern.compile(template.replaceAll("\\{\\w+}", "[^/]+"));
    }

    private static void require(boolean right, String otherwise) {
        if (!right) {
            throw new AssertionError(otherwise);
        }
    }
}
