package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.termination.Category;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What generators of clients need of the schemas. */
class OpenApiSchemasTest {
    private static final Path DOCUMENT = Path.of("src/main/resources/dev/loopkeeper/gateway/openapi.json");
    private static final Path MANIFEST = Path.of("..", "..", "conf", "manifest.schema.json");
    private static final String SCHEMAS = "#/components/schemas/";
    /** Any JSON; and a text or a list of words, which generators cannot tell apart. */
    private static final Set<String> UNTYPED =
            Set.of("Termination/deliverable", "StepResult/deliverable", "ManifestCommand");

    private final ObjectNode document = read(DOCUMENT);
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
        for (JsonNode holder : document.path("paths").findParents("schema")) {
            walk("a path's", holder.path("schema"), work);
        }
    }

    private static void walk(String place, JsonNode schema, BiConsumer<String, JsonNode> work) {
        work.accept(place, schema);
        schema.path("properties")
                .properties()
                .forEach(each -> walk(place + "/" + each.getKey(), each.getValue(), work));
        Stream.of("items", "additionalProperties")
                .map(schema::path)
                .filter(JsonNode::isObject)
                .forEach(inner -> walk(place + "/each", inner, work));
        Stream.of("oneOf", "allOf")
                .forEach(kind -> schema.path(kind).forEach(one -> walk(place + "/" + kind, one, work)));
    }

    @Test
    void everySchemaHasAType() {
        List<String> untyped = new ArrayList<>();
        eachSchema((place, schema) -> {
            if (Stream.of("type", "$ref", "oneOf", "allOf").noneMatch(schema::has)) {
                untyped.add(place);
            }
        });
        assertThat(untyped).containsExactlyInAnyOrderElementsOf(UNTYPED);
    }

    /** A lenient reader takes any object for any object schema, unless a field of one value keeps them apart. */
    @Test
    void noChoiceIsOneOfObjectsThatAReaderCannotTellApart() {
        eachSchema((place, schema) -> {
            List<ObjectNode> objects = StreamSupport.stream(schema.path("oneOf").spliterator(), false)
                    .map(this::resolved)
                    .filter(one -> one.path("type").asText().equals("object"))
                    .toList();
            assertThat(objects.size() < 2 || areToldApart(objects)).as(place).isTrue();
        });
    }

    private static boolean areToldApart(List<ObjectNode> objects) {
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

    static Stream<Arguments> enums() {
        return Stream.of(
                Arguments.of("/Run/properties/status", WireName.all(RunStatus.class)),
                Arguments.of("/Explanation/properties/status", WireName.all(RunStatus.class)),
                Arguments.of("/Pause/properties/reason", WireName.all(PauseReason.class)),
                Arguments.of("/Pause/properties/allowedActions/items", WireName.all(ResumeAction.class)),
                Arguments.of("/Waiting/properties/reason", WireName.all(ErrorCategory.class)),
                Arguments.of("/StepError/properties/category", WireName.all(ErrorCategory.class)),
                Arguments.of("/Termination/properties/category", WireName.all(Category.class)));
    }

    @ParameterizedTest
    @MethodSource("enums")
    void theListedWordsAreThoseOfTheProgram(String pointer, List<String> words) {
        List<String> listed = new ArrayList<>();
        schemas.at(pointer).path("enum").forEach(word -> listed.add(word.asText()));
        assertThat(listed).containsExactlyInAnyOrderElementsOf(words);
    }

    /** After a change of conf/manifest.schema.json: the same with {@code -Dloopkeeper.write=true} writes the document. */
    @Test
    void theManifestIsThePublishedSchemaInTheFormThatGeneratorsRead() throws IOException {
        Map<String, JsonNode> derived = new TreeMap<>();
        ObjectNode published = read(MANIFEST);
        published.path("$defs").properties().forEach(part -> derived.put(name(part.getKey()), form(part.getValue())));
        derived.put("Manifest", form(published));
        if (Boolean.getBoolean("loopkeeper.write")) {
            derived.forEach(schemas::set);
            Separators separators = Separators.createDefaultInstance()
                    .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                    .withObjectEmptySeparator("")
                    .withArrayEmptySeparator("");
            DefaultIndenter lines = new DefaultIndenter("  ", "\n");
            DefaultPrettyPrinter printer = new DefaultPrettyPrinter(separators);
            printer.indentArraysWith(lines);
            printer.indentObjectsWith(lines);
            Files.writeString(DOCUMENT, Json.MAPPER.writer(printer).writeValueAsString(document) + "\n");
        }
        derived.forEach((name, schema) -> assertThat(schemas.path(name))
                .as(name + "; run this test with -Dloopkeeper.write=true to write it again")
                .isEqualTo(schema));
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
                case "oneOf" -> choices(value).ifPresent(kept -> form.set("oneOf", kept));
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
