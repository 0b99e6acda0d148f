package dev.loopkeeper.manifest.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Keeps the published schema and the reader the same. */
class ManifestSchemaTest {
    private static final Map<String, List<String>> KEYS = Map.ofEntries(
            Map.entry("agent", AgentReader.KEYS),
            Map.entry("handler", AgentReader.HANDLER_KEYS),
            Map.entry("escalate", AgentReader.ESCALATE_KEYS),
            Map.entry("stop", AgentReader.STOP_KEYS),
            Map.entry("phase", PhasesReader.KEYS),
            Map.entry("loop", LoopReader.KEYS),
            Map.entry("step", LoopReader.STEP_KEYS),
            Map.entry("until", LoopReader.UNTIL_KEYS),
            Map.entry("each", EachReader.KEYS),
            Map.entry("sandbox", SandboxReader.KEYS),
            Map.entry("item", ItemsReader.KEYS),
            Map.entry("isolation", IsolationReader.KEYS),
            Map.entry("setup", IsolationReader.SETUP_KEYS),
            Map.entry("budget", BudgetReader.KEYS),
            Map.entry("retry", RetryReader.KEYS),
            Map.entry("backoff", RetryReader.BACKOFF_KEYS),
            Map.entry("transient", RetryReader.TRANSIENT_KEYS),
            Map.entry("stopConditions", RetryReader.STOP_KEYS),
            Map.entry("notification", NotifyReader.KEYS),
            Map.entry("reason", ReasonsReader.KEYS),
            Map.entry("errorRule", ErrorsReader.KEYS));
    private static final Set<String> NOT_MAPS_OF_KEYS = Set.of("command", "environment", "variables");

    private static final Path FILE = Path.of("..", "conf", "manifest.schema.json");
    private static final String WRITE_AGAIN = "; mvn test -pl verticles/gateway -am"
            + " -Dtest=ManifestSchemaTest,OpenApiSchemasTest -Dsurefire.failIfNoSpecifiedTests=false"
            + " -Dloopkeeper.write=true writes it";

    private final JsonNode schema = read();

    private static JsonNode read() {
        try {
            return Json.MAPPER.readTree(Files.readString(FILE));
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private void write() throws IOException {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
        printer.indentArraysWith(lines);
        printer.indentObjectsWith(lines);
        Files.writeString(FILE, Json.MAPPER.writer(printer).writeValueAsString(schema) + "\n");
    }

    /** A value that may be left out may be null as well. */
    private static void put(JsonNode property, Collection<String> words) {
        boolean nullable =
                StreamSupport.stream(property.path("enum").spliterator(), false).anyMatch(JsonNode::isNull);
        ArrayNode list = ((ObjectNode) property).putArray("enum");
        words.forEach(list::add);
        if (nullable) {
            list.addNull();
        }
    }

    private JsonNode part(String name) {
        return schema.path("$defs").path(name);
    }

    private static List<String> keys(JsonNode object) {
        return object.propertyStream().map(Map.Entry::getKey).toList();
    }

    private static List<String> words(JsonNode property) {
        List<String> words = new ArrayList<>();
        property.path("enum").forEach(word -> {
            if (word.isTextual()) {
                words.add(word.textValue());
            }
        });
        return words;
    }

    @Test
    void theKeysAreTheSame() {
        assertThat(keys(schema.path("properties"))).isEqualTo(ManifestReader.KEYS);
        KEYS.forEach((name, keys) ->
                assertThat(keys(part(name).path("properties"))).as(name).isEqualTo(keys));
        assertThat(keys(schema.path("$defs")))
                .allMatch(name -> KEYS.containsKey(name) || NOT_MAPS_OF_KEYS.contains(name));
    }

    @Test
    void everyKeyIsDescribedAndNoOtherIsAllowed() {
        KEYS.keySet().forEach(name -> {
            assertThat(part(name).path("additionalProperties").isBoolean())
                    .as(name)
                    .isTrue();
            part(name)
                    .path("properties")
                    .forEach(property -> assertThat(property.path("description").asText())
                            .as(name)
                            .endsWith("."));
        });
    }

    @Test
    void theWordsAreTheSame() throws IOException {
        Map<String, Set<String>> known = Map.ofEntries(
                Map.entry("agent.output", Choices.OUTPUT.keySet()),
                Map.entry("agent.containment", Choices.CONTAINMENT.keySet()),
                Map.entry("agent.onRuntimeDeath", Choices.ON_RUNTIME_DEATH.keySet()),
                Map.entry("stop.signal", Choices.STOP_SIGNAL.keySet()),
                Map.entry("agent.onNodeLoss", Choices.ON_NODE_LOSS.keySet()),
                Map.entry("agent.context", Choices.CONTEXT.keySet()),
                Map.entry("agent.session", Choices.SESSION.keySet()),
                Map.entry("loop.onStalled", Choices.ON_STALLED.keySet()),
                Map.entry("step.when", Choices.WHEN.keySet()),
                Map.entry("transient.wait", Choices.WAIT.keySet()),
                Map.entry("notification.format", Choices.NOTIFY_FORMAT.keySet()),
                Map.entry("reason.category", Choices.CATEGORY.keySet()),
                Map.entry("errorRule.kind", ErrorsReader.KINDS.keySet()),
                Map.entry("isolation.git", Choices.ISOLATION.keySet()),
                Map.entry("isolation.commit", Choices.COMMIT.keySet()));
        JsonNode events = part("notification").path("properties").path("events").path("items");
        if (Boolean.getBoolean("loopkeeper.write")) {
            known.forEach((path, words) -> {
                String[] names = path.split("\\.");
                put(part(names[0]).path("properties").path(names[1]), words);
            });
            put(events, Choices.NOTIFY_EVENT.keySet());
            write();
        }
        Map<String, List<String>> found = new TreeMap<>();
        KEYS.keySet()
                .forEach(name -> part(name).path("properties").propertyStream().forEach(property -> {
                    if (property.getValue().has("enum")) {
                        found.put(name + "." + property.getKey(), words(property.getValue()));
                    }
                }));

        assertThat(found.keySet()).isEqualTo(new TreeMap<>(known).keySet());
        found.forEach((path, words) -> assertThat(words)
                .as("the list of " + path + " in conf/manifest.schema.json" + WRITE_AGAIN)
                .containsExactlyElementsOf(known.get(path)));
        assertThat(words(part("loop")
                        .path("properties")
                        .path("until")
                        .path("oneOf")
                        .path(0)))
                .containsExactlyElementsOf(Choices.UNTIL.keySet());
        assertThat(words(events))
                .as("the list of events in conf/manifest.schema.json" + WRITE_AGAIN)
                .containsExactlyElementsOf(Choices.NOTIFY_EVENT.keySet());
    }

    /** Writes every default of the schema into a small manifest: nothing may change by it. */
    @Test
    void theDefaultsAreTheSame() {
        ObjectNode plain = document();
        ObjectNode spelled = document();
        spelled.set("workspace", schema.path("properties").path("workspace").path("default"));
        fill(spelled.path("agents").path("judge"), "agent");
        fill(((ObjectNode) spelled.path("agents").path("judge")).putObject("stop"), "stop");
        fill(spelled.path("phases").path(0).path("loop"), "loop");
        fill(spelled.path("phases").path(0).path("loop").path("steps").path(0), "step");
        fill(spelled.path("phases").path(1).path("each"), "each");
        fill(spelled.path("phases").path(1).path("each").path("items").path(0), "item");
        fill(spelled.path("phases").path(2), "phase");
        fill(spelled.putObject("isolation"), "isolation");
        fill(spelled.putObject("budget"), "budget");
        fill(spelled.putObject("retry").putObject("backoff"), "backoff");
        fill(spelled.withObject("retry").putObject("transient"), "transient");
        fill(spelled.withObject("retry").putObject("stopConditions"), "stopConditions");
        fill(spelled.path("reasons").path(0), "reason");

        Manifest expected = ((ManifestReading.Valid) ManifestReader.read(plain)).manifest();
        Manifest found = ((ManifestReading.Valid) ManifestReader.read(spelled)).manifest();

        // The default of cwd is written as a dot and means the same.
        assertThat(found.agents().get("judge").program().cwd()).contains(".");
        assertThat(found)
                .usingRecursiveComparison()
                .ignoringFields("agents.judge.program.cwd")
                .isEqualTo(expected);
    }

    private static ObjectNode document() {
        String text = """
                name: demo
                agents: {judge: {command: x, signal: y}}
                phases:
                  - {name: a, loop: {steps: [{agent: judge}]}}
                  - {name: b, each: {items: [{id: i}], steps: [judge]}}
                  - {name: c, gate: judge}
                reasons: [{code: mine, category: fatal}]
                """;
        return (ObjectNode) ((DocumentReading.Parsed) ManifestText.parse(text)).document();
    }

    private void fill(JsonNode object, String name) {
        part(name).path("properties").propertyStream().forEach(property -> {
            // One spelling of each key is enough.
            if (property.getValue().has("default") && !property.getKey().contains("_")) {
                ((ObjectNode) object).set(property.getKey(), property.getValue().get("default"));
            }
        });
    }

    /** After a change of the schema: {@code FAST_OPTS=-Dloopkeeper.write=true}, or the same for the test's JVM, writes it. */
    @Test
    void theReferenceInTheDocumentationIsThatOfTheSchema() throws IOException {
        Path document = Path.of("..", "docs", "manifest.md");
        String text = Files.readString(document);
        String begin = "<!-- generated -->\n";
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf("<!-- end -->");
        JsonNode sample = ((DocumentReading.Parsed) ManifestText.parse(
                        Files.readString(Path.of("src/test/resources/dev/loopkeeper/manifest/read/sample.yaml"))))
                .document();
        String reference = ManifestReference.of(schema, sample);
        if (Boolean.getBoolean("loopkeeper.write")) {
            Files.writeString(document, text.substring(0, from) + reference + "\n" + text.substring(to));
        } else {
            assertThat(text.substring(from, to).strip())
                    .as("docs/manifest.md; run this test with -Dloopkeeper.write=true to write it anew")
                    .isEqualTo(reference.strip());
        }
    }
}
