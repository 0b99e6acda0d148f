package dev.loopkeeper.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The descriptions of containers; no engine runs them here. */
class ContainersIT {
    private static final Path CONF = Path.of("../../conf");
    private static final List<String> FILES = List.of("Containerfile", "compose.yaml", "kubernetes.yaml");

    /** The classes of the Kubernetes API refuse keys that they do not know and kinds that do not fit. */
    @Test
    void kubernetesKnowsEveryKey() throws IOException {
        List<Object> kinds = new ArrayList<>();
        for (Object document : new Yaml().loadAll(Files.readString(CONF.resolve("kubernetes.yaml")))) {
            JsonElement json =
                    JsonParser.parseString(JsonObject.mapFrom(document).encode());
            String kind = json.getAsJsonObject().get("kind").getAsString();
            if (kind.equals("Service")) {
                V1Service.validateJsonElement(json);
                kinds.add(JSON.getGson().fromJson(json, V1Service.class).getKind());
            } else {
                V1StatefulSet.validateJsonElement(json);
                kinds.add(JSON.getGson().fromJson(json, V1StatefulSet.class).getKind());
            }
        }
        assertThat(kinds).containsExactly("Service", "StatefulSet");
    }

    private static JsonObject composition() throws IOException {
        return JsonObject.mapFrom(new Yaml().<Map<String, Object>>load(Files.readString(CONF.resolve("compose.yaml"))));
    }

    @Test
    void theSchemaOfComposeAllowsTheComposition() throws IOException {
        // Its ids are those of draft 4, and its durations are those of Go, as in 60s: 2019-09 has others.
        String text = Files.readString(Path.of("src/test/compose/compose_spec.json"))
                .replaceAll("\"id\": \"[^\"]*\",|, \"format\": \"duration\"", "");
        Validator schema = Validator.create(
                JsonSchema.of(new JsonObject(text)),
                new JsonSchemaOptions()
                        .setBaseUri("https://example.org/compose_spec.json")
                        .setDraft(Draft.DRAFT201909)
                        .setOutputFormat(OutputFormat.Basic));
        OutputUnit said = schema.validate(composition());
        assertThat(said.getValid()).as(() -> said.toJson().encodePrettily()).isTrue();
        JsonObject misspelt = composition();
        misspelt.getJsonObject("services").getJsonObject("n1").put("prots", new JsonArray());
        assertThat(schema.validate(misspelt).getValid()).isFalse();
    }

    @Test
    void eachServiceOfTheCompositionNamesWhatIsThere() throws IOException {
        JsonObject all = composition();
        assertThat(all.fieldNames()).containsExactly("x-node", "services", "volumes", "secrets");
        for (String name : all.getJsonObject("services").fieldNames()) {
            JsonObject service = all.getJsonObject("services").getJsonObject(name);
            assertThat(all.getJsonObject("secrets").fieldNames())
                    .containsAll(service.getJsonArray("secrets").stream()
                            .map(String::valueOf)
                            .toList());
            assertThat(all.getJsonObject("volumes").fieldNames())
                    .containsAll(service.getJsonArray("volumes").stream()
                            .map(volume -> String.valueOf(volume).replaceFirst(":.*", ""))
                            .toList());
        }
    }

    /** Each instruction of the Containerfile with its arguments, such as {@code USER 10001:10001}; comments are left out. */
    private static List<String> instructions() throws IOException {
        String text = Files.readString(CONF.resolve("Containerfile")).replaceAll("(?m)^#.*\\R", "");
        return text.replaceAll("\\s*\\\\\\R\\s*", " ")
                .lines()
                .map(String::strip)
                .toList();
    }

    @Test
    void eachInstructionOfTheContainerfileIsOneThatAnEngineUnderstands() throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        for (String instruction : instructions()) {
            String word = instruction.substring(0, instruction.indexOf(' '));
            String rest = instruction.substring(word.length() + 1);
            words.add(word);
            switch (word) {
                case "FROM" -> assertThat(rest).as("a fixed release").matches("[a-z./]+:[0-9]+-slim");
                case "ARG" -> assertThat(rest).isEqualTo("VERSION=" + System.getProperty("dist.version"));
                case "RUN" ->
                    assertThat(new ProcessBuilder("sh", "-nc", rest).start().waitFor())
                            .as(rest)
                            .isZero();
                case "ADD" ->
                    assertThat(Path.of(System.getProperty("dist.target"))
                                    .resolve(rest.replace("${VERSION}", System.getProperty("dist.version"))
                                            .replaceFirst(" /usr/lib$", "")))
                            .isNotEmptyFile();
                case "USER" -> assertThat(rest).matches("[1-9][0-9]*:[1-9][0-9]*");
                case "HEALTHCHECK" ->
                    assertThat(new JsonArray(rest.replaceFirst("^(--[a-z-]+=[0-9]+s )*CMD ", "")))
                            .hasSize(3);
                case "ENTRYPOINT", "CMD" -> assertThat(new JsonArray(rest)).isNotEmpty();
                default -> assertThat(rest).as(word).matches("/[a-z/]+|7420");
            }
        }
        assertThat(words)
                .containsExactly(
                        "FROM",
                        "ARG",
                        "RUN",
                        "ADD",
                        "RUN",
                        "USER",
                        "WORKDIR",
                        "VOLUME",
                        "EXPOSE",
                        "HEALTHCHECK",
                        "ENTRYPOINT",
                        "CMD");
    }

    /** A variable that is no option of serve would have no effect. */
    @Test
    void eachVariableIsAnOptionOfServe() throws IOException {
        String options = Files.readString(Path.of("../../docs/cli.md"));
        for (String file : FILES) {
            Matcher variable = Pattern.compile("LOOPKEEPER_([A-Z_]+)").matcher(Files.readString(CONF.resolve(file)));
            while (variable.find()) {
                assertThat(options)
                        .contains("--"
                                + variable.group(1).toLowerCase(Locale.ROOT).replace('_', '-'));
            }
        }
    }
}
