package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The reference of all keys, made of the schema, with examples of the sample manifest where it has them. */
final class ManifestReference {
    private static final String ROOT = "manifest";
    private static final String DURATION = "^[0-9]{1,9}(ms|s|m|h)$";
    private static final long NO_LIMIT = Integer.MAX_VALUE;
    /** Of keys that the sample does not have, and that have no default or choice to show. */
    private static final Map<String, String> EXAMPLES = Map.ofEntries(
            Map.entry("manifest.vars", "{feature: search}"),
            Map.entry("manifest.$schema", "loopkeeper.schema.json"),
            Map.entry("until.output", "ALL DONE"),
            Map.entry("until.command", "[make, test]"),
            Map.entry("until.idleTimeout", "5m"),
            Map.entry("agent.resume", "[claude, -p, --resume, \"{{session.id}}\"]"),
            Map.entry("agent.nudge", "1"),
            Map.entry("handler.address", "reviews"),
            Map.entry("agent.pool", "claude-max"),
            Map.entry("agent.protect", "[\"**/*.snap\"]"),
            Map.entry("manifest.protect", "[tests/**, .github/**]"),
            Map.entry("sandbox.write", "[., /tmp]"),
            Map.entry("sandbox.hide", "[~/.ssh]"),
            Map.entry("sandbox.network", "off"),
            Map.entry("sandbox.protect", "[tests/**]"),
            Map.entry("each.itemsFrom", "items.json"),
            Map.entry("isolation.copy", "[node_modules]"),
            Map.entry("isolation.setup", "{command: [npm, ci]}"),
            Map.entry("setup.command", "[npm, ci]"),
            Map.entry("notification.headers", "{Authorization: \"env:NTFY_TOKEN\"}"),
            Map.entry("errorRule.says", "your wallet is (empty|low)"),
            Map.entry("errorRule.code", "SLOW_LANE"),
            Map.entry("errorRule.status", "419"),
            Map.entry("errorRule.source", "docs/errors of the provider"));

    private final JsonNode schema;
    private final Map<String, String> examples = new LinkedHashMap<>();

    private ManifestReference(JsonNode schema, JsonNode sample) {
        this.schema = schema;
        collect(ROOT, schema, sample);
    }

    static String of(JsonNode schema, JsonNode sample) {
        return new ManifestReference(schema, sample).text();
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        section(text, "The manifest", ROOT, schema);
        schema.path("$defs").properties().stream()
                .filter(part -> part.getValue().has("properties"))
                .forEach(part -> section(text, part.getKey(), part.getKey(), part.getValue()));
        return text.toString();
    }

    private void section(StringBuilder text, String title, String name, JsonNode part) {
        text.append("\n### ").append(title).append("\n\n");
        text.append(cell(part.path("description").asText())).append("\n\n");
        text.append("| key | value | default or example | meaning |\n|---|---|---|---|\n");
        List<String> required = new ArrayList<>();
        part.path("required").forEach(key -> required.add(key.asText()));
        part.path("properties").properties().forEach(each -> {
            JsonNode key = each.getValue();
            if (!isOtherSpelling(each.getKey())) {
                text.append("| `")
                        .append(each.getKey())
                        .append(required.contains(each.getKey()) ? "` (required) | " : "` | ")
                        .append(value(key))
                        .append(" | ")
                        .append(defaultOrExample(name, each.getKey(), key))
                        .append(" | ")
                        .append(cell(key.path("description").asText()))
                        .append(" |\n");
            }
        });
    }

    /** Whether the key is that of another one in snake_case, which the description of its section mentions. */
    private static boolean isOtherSpelling(String key) {
        return key.contains("_");
    }

    /** Fails if there is neither: every key needs a value that was tried. */
    private String defaultOrExample(String part, String name, JsonNode key) {
        if (key.path("default").isValueNode()) {
            return code(flow(key.get("default")));
        }
        // A list of words or a section of its own shows what may be written.
        if (!words(key).isEmpty() || value(key).contains("](#")) {
            return "";
        }
        String path = part + "." + name;
        return Optional.ofNullable(examples.get(path))
                .or(() -> Optional.ofNullable(EXAMPLES.get(path)))
                .map(value -> "e.g. " + code(value))
                .orElseThrow(() -> new AssertionError("give " + path + " an example in ManifestReference.EXAMPLES"));
    }

    private static List<String> words(JsonNode key) {
        List<String> words = new ArrayList<>();
        key.path("enum").forEach(word -> {
            if (!word.isNull()) {
                words.add(word.asText());
            }
        });
        return words;
    }

    /** What may stand there, e.g. {@code whole number, 1 or more}. */
    private String value(JsonNode key) {
        if (key.has("$ref")) {
            String name = name(key);
            return part(name).has("properties")
                    ? "[" + name + "](#" + name.toLowerCase(Locale.ROOT) + ")"
                    : part(name).has("oneOf") ? name : cell(kind(part(name)));
        }
        return cell(kind(key) + range(key));
    }

    private String kind(JsonNode key) {
        if (key.has("enum")) {
            return words(key).stream().map(ManifestReference::code).collect(Collectors.joining(", "));
        }
        if (key.has("oneOf") && !key.has("properties")) {
            List<String> kinds = new ArrayList<>();
            key.path("oneOf").forEach(one -> kinds.add(one.has("$ref") ? value(one) : kind(one)));
            return String.join(" or ", kinds);
        }
        if (key.path("pattern").asText().equals(DURATION)) {
            return "duration";
        }
        List<String> types = new ArrayList<>();
        (key.path("type").isArray() ? key.path("type") : List.of(key.path("type")))
                .forEach(type -> types.add(type.asText()));
        types.remove("null");
        return types.stream().map(type -> named(type, key)).collect(Collectors.joining(" or "));
    }

    private String named(String type, JsonNode key) {
        return switch (type) {
            case "string" -> "text";
            case "integer" -> "whole number";
            case "boolean" -> "`true` or `false`";
            case "array" -> "list of " + (key.path("items").has("enum") ? "types" : value(key.path("items")));
            case "object" ->
                "map"
                        + (key.path("additionalProperties").has("$ref")
                                ? " of " + value(key.path("additionalProperties"))
                                : "");
            default -> type;
        };
    }

    private static String range(JsonNode key) {
        String least = key.has("minimum") ? flow(key.get("minimum")) : "";
        boolean limited = key.has("maximum") && key.path("maximum").asLong() < NO_LIMIT;
        String most = limited ? flow(key.get("maximum")) : "";
        if (key.has("exclusiveMinimum")) {
            return ", above " + flow(key.get("exclusiveMinimum")) + (most.isEmpty() ? "" : ", at most " + most);
        }
        if (least.isEmpty()) {
            return most.isEmpty() ? "" : ", at most " + most;
        }
        return most.isEmpty() ? ", " + least + " or more" : ", " + least + " to " + most;
    }

    private JsonNode part(String name) {
        return schema.path("$defs").path(name);
    }

    private static String name(JsonNode reference) {
        return reference.path("$ref").asText().replaceFirst(".*/", "");
    }

    private void collect(String name, JsonNode part, JsonNode value) {
        if (part.has("$ref")) {
            collect(name(part), part(name(part)), value);
            return;
        }
        part.path("oneOf").forEach(one -> {
            if (!one.has("required")) {
                collect(name, one, value);
            }
        });
        value.elements().forEachRemaining(element -> {
            if (value.isArray()) {
                collect(name, part.path("items"), element);
            } else if (part.path("additionalProperties").isObject()) {
                collect(name, part.path("additionalProperties"), element);
            }
        });
        part.path("properties").properties().forEach(key -> {
            JsonNode found = value.path(key.getKey());
            if (!found.isMissingNode()) {
                if (flow(found).length() <= 70) {
                    examples.putIfAbsent(name + "." + key.getKey(), flow(found));
                }
                collect(name, key.getValue(), found);
            }
        });
    }

    /** As one writes it in YAML, on one line. */
    private static String flow(JsonNode value) {
        if (value.isArray()) {
            List<String> parts = new ArrayList<>();
            value.forEach(each -> parts.add(flow(each)));
            return "[" + String.join(", ", parts) + "]";
        }
        if (value.isObject()) {
            return value.properties().stream()
                    .map(each -> each.getKey() + ": " + flow(each.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        boolean quoted = value.isTextual() && value.asText().matches(".*[{}\\[\\],:#].*");
        return quoted ? "\"" + value.asText() + "\"" : value.asText();
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "`" + cell(text) + "`";
    }

    private static String cell(String text) {
        return text.replaceAll("(?<!\\\\)\\|", "\\\\|");
    }
}
