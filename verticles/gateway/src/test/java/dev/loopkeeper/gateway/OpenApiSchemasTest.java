package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.step.AskOutcome;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.termination.Category;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.view.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What generators of clients need of the schemas. */
class OpenApiSchemasTest {
    private static final Path MANIFEST = Path.of("..", "..", "conf", "manifest.schema.json");
    private static final String SCHEMAS = "#/components/schemas/";
    /** Any JSON; and a text or a list of words, which generators cannot distinguish. */
    private static final Set<String> UNTYPED =
            Set.of("Termination/deliverable", "StepResult/deliverable", "ManifestCommand");
    /** Writes what is derived, in place of comparing it only. */
    private static final boolean WRITE = Boolean.getBoolean("loopkeeper.write");

    private final ObjectNode document = OpenApiFile.read();
    private final ObjectNode schemas = (ObjectNode) document.path("components").path("schemas");

    private static ObjectNode read(Path file) {
        try {
            return (ObjectNode) Json.MAPPER.readTree(Files.readString(file));
        } catch (IOException absent) {
            throw new AssertionError(absent);
        }
    }

    private void eachSchema(BiConsumer<String, JsonNode> work) {
        schemas.properties().forEach(each -> walk(each.getKey(), each.getValue(), work));
        for (String part : List.of("paths", "components")) {
            for (JsonNode holder : document.path(part).findParents("schema")) {
                walk("a path's", holder.path("schema"), work);
            }
        }
    }

    private static void walk(String path, JsonNode schema, BiConsumer<String, JsonNode> work) {
        work.accept(path, schema);
        schema.path("properties").properties().forEach(each -> walk(path + "/" + each.getKey(), each.getValue(), work));
        Stream.of("items", "additionalProperties")
                .map(schema::path)
                .filter(JsonNode::isObject)
                .forEach(inner -> walk(path + "/each", inner, work));
        Stream.of("oneOf", "allOf", "anyOf")
                .forEach(kind -> schema.path(kind).forEach(one -> walk(path + "/" + kind, one, work)));
    }

    @Test
    void everySchemaHasAType() {
        List<String> untyped = new ArrayList<>();
        eachSchema((path, schema) -> {
            if (Stream.of("type", "$ref", "oneOf", "allOf", "anyOf").noneMatch(schema::has)) {
                untyped.add(path);
            }
        });
        assertThat(untyped).containsExactlyInAnyOrderElementsOf(UNTYPED);
    }

    /** A lenient reader takes any object for any object schema, unless a field of one value keeps them apart. */
    @Test
    void everyChoiceOfSchemasIsDistinguishable() {
        eachSchema((path, schema) -> {
            List<ObjectNode> objects = StreamSupport.stream(schema.path("oneOf").spliterator(), false)
                    .map(this::resolved)
                    .filter(one -> one.path("type").asText().equals("object"))
                    .toList();
            assertThat(objects.size() < 2 || areDistinguishable(objects))
                    .as(path)
                    .isTrue();
        });
    }

    private static boolean areDistinguishable(List<ObjectNode> objects) {
        return objects.get(0)
                .path("properties")
                .propertyStream()
                .map(Map.Entry::getKey)
                .anyMatch(name -> {
                    Set<String> values = new HashSet<>();
                    return objects.stream().allMatch(one -> {
                        JsonNode words = one.path("properties").path(name).path("enum");
                        boolean required = one.path("required").toString().contains('"' + name + '"');
                        return required
                                && words.size() == 1
                                && values.add(words.get(0).asText());
                    });
                });
    }

    /** With what its reference and its parts say. */
    private ObjectNode resolved(JsonNode schema) {
        JsonNode there =
                schema.has("$ref") ? schemas.path(schema.path("$ref").asText().substring(SCHEMAS.length())) : schema;
        if (!there.has("allOf")) {
            return (ObjectNode) there;
        }
        ObjectNode whole = Json.MAPPER.createObjectNode().put("type", "object");
        for (JsonNode part : there.path("allOf")) {
            ObjectNode read = resolved(part);
            whole.withObject("/properties").setAll((ObjectNode) read.path("properties"));
            read.path("required").forEach(whole.withArray("/required")::add);
        }
        return whole;
    }

    /** The lists of words in the document, by the schema that has the list. */
    private static Map<String, List<String>> words() {
        return Map.ofEntries(
                Map.entry("ProblemCode", WireName.all(RefusalCode.class)),
                Map.entry("RunStatus", WireName.all(RunStatus.class)),
                Map.entry("PauseReason", WireName.all(PauseReason.class)),
                Map.entry("ResumeAction", WireName.all(ResumeAction.class)),
                Map.entry("EventType", EventTypes.all()),
                Map.entry(
                        "StandardSubtype",
                        Stream.of(StandardReason.values())
                                .map(StandardReason::subtype)
                                .toList()),
                Map.entry("TerminationCategory", WireName.all(Category.class)),
                Map.entry("ErrorCategory", WireName.all(ErrorCategory.class)),
                Map.entry("StepStatus", WireName.all(Step.Status.class)),
                Map.entry("StepOutcome", WireName.all(StepStatus.class)),
                Map.entry("ItemStatus", WireName.all(ItemStatus.class)),
                Map.entry("FailureKind", WireName.all(FailureKind.class)),
                Map.entry("AskOutcome", WireName.all(AskOutcome.class)));
    }

    @Test
    void everyListOfWordsIsThatOfTheProgram() {
        if (WRITE) {
            words().forEach((name, words) -> {
                ArrayNode list = ((ObjectNode) schemas.path(name)).putArray("enum");
                words.forEach(list::add);
            });
            OpenApiFile.write(document);
        }
        words().forEach((name, words) -> assertThat(
                        Json.MAPPER.convertValue(schemas.path(name).path("enum"), String[].class))
                .as("the list of " + name + " in openapi.json" + OpenApiFile.WRITE_AGAIN)
                .containsExactlyElementsOf(words));
    }

    @Test
    void everyFieldIsDescribed() {
        Set<String> published = published().keySet();
        List<String> silent = new ArrayList<>();
        eachSchema((path, schema) -> schema.path("properties").properties().stream()
                .filter(field -> field.getValue().path("description").asText().isEmpty())
                .filter(field -> !published.contains(path.split("/")[0]))
                .forEach(field -> silent.add(path + "/" + field.getKey())));
        assertThat(silent).isEmpty();
    }

    /** Generators make a class with a name of their own of an object that has none. */
    @Test
    void everyObjectWithFieldsHasAName() {
        List<String> nameless = new ArrayList<>();
        eachSchema((path, schema) -> {
            boolean isPart = path.endsWith("/allOf");
            boolean isNamed = schemas.has(path) && schemas.get(path) == schema;
            if (schema.has("properties") && !isPart && !isNamed) {
                nameless.add(path);
            }
        });
        assertThat(nameless).isEmpty();
    }

    @Test
    void theLayoutIsThatInWhichItIsWritten() {
        if (WRITE) {
            OpenApiFile.write(document);
        }
        assertThat(OpenApiFile.text())
                .as("the layout of openapi.json" + OpenApiFile.WRITE_AGAIN)
                .isEqualTo(OpenApiFile.layout(document));
    }

    @Test
    void theManifestIsThePublishedSchemaInTheFormThatGeneratorsRead() {
        Map<String, JsonNode> derived = published();
        if (WRITE) {
            derived.forEach(schemas::set);
            OpenApiFile.write(document);
        }
        derived.forEach((name, schema) -> assertThat(schemas.path(name))
                .as(name + " in openapi.json" + OpenApiFile.WRITE_AGAIN)
                .isEqualTo(schema));
    }

    private static Map<String, JsonNode> published() {
        Map<String, JsonNode> derived = new TreeMap<>();
        ObjectNode published = read(MANIFEST);
        published.path("$defs").properties().forEach(part -> derived.put(name(part.getKey()), form(part.getValue())));
        derived.put("Manifest", form(published));
        return derived;
    }

    private static String name(String part) {
        return "Manifest" + Character.toUpperCase(part.charAt(0)) + part.substring(1);
    }

    /**
     * Without what generators stumble over: second spellings with an underscore, defaults, which their clients would send,
     * choices among required keys, and a choice with a list. An enumeration gets its type.
     */
    private static JsonNode form(JsonNode schema) {
        if (!schema.isObject()) {
            return schema;
        }
        ObjectNode form = Json.MAPPER.createObjectNode();
        if (schema.has("enum") && !schema.has("type")) {
            form.set("type", typeOf(schema.path("enum")));
        }
        schema.properties().forEach(each -> {
            JsonNode value = each.getValue();
            switch (each.getKey()) {
                case "$schema", "$id", "$defs", "title", "default" -> {}
                case "$ref" -> form.put("$ref", SCHEMAS + name(value.asText().replace("#/$defs/", "")));
                case "properties" -> form.set("properties", properties(value));
                case "oneOf", "anyOf" -> choices(value).ifPresent(kept -> form.set(each.getKey(), kept));
                default -> form.set(each.getKey(), form(value));
            }
        });
        return form;
    }

    private static JsonNode typeOf(JsonNode words) {
        boolean nullable = StreamSupport.stream(words.spliterator(), false).anyMatch(JsonNode::isNull);
        return nullable
                ? Json.MAPPER.createArrayNode().add("string").add("null")
                : Json.MAPPER.getNodeFactory().textNode("string");
    }

    private static ObjectNode properties(JsonNode all) {
        ObjectNode kept = Json.MAPPER.createObjectNode();
        all.properties().stream()
                .filter(each -> !(each.getKey().contains("_") && all.has(camelCase(each.getKey()))))
                .forEach(each -> kept.set(each.getKey(), form(each.getValue())));
        return kept;
    }

    private static String camelCase(String snakeCase) {
        StringBuilder name = new StringBuilder();
        for (String word : snakeCase.split("_")) {
            name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return name.toString();
    }

    private static Optional<JsonNode> choices(JsonNode all) {
        List<JsonNode> choices = StreamSupport.stream(all.spliterator(), false).toList();
        boolean onlyKeys = choices.stream().allMatch(choice -> choice.size() == 1 && choice.has("required"));
        boolean lists =
                choices.stream().anyMatch(choice -> choice.path("type").asText().equals("array"));
        var kept = Json.MAPPER.createArrayNode();
        choices.forEach(choice -> kept.add(form(choice)));
        return onlyKeys || lists ? Optional.empty() : Optional.of(kept);
    }
}
