package dev.loopkeeper.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.vertx.core.json.JsonObject;
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
            JsonElement json = JsonParser.parseString(JsonObject.mapFrom(document).encode());
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

    @Test
    void eachServiceOfTheCompositionNamesWhatIsThere() throws IOException {
        Map<String, Object> composition = new Yaml().load(Files.readString(CONF.resolve("compose.yaml")));
        JsonObject all = JsonObject.mapFrom(composition);
        assertThat(all.fieldNames()).containsExactly("x-node", "services", "volumes", "secrets");
        for (String name : all.getJsonObject("services").fieldNames()) {
            JsonObject service = all.getJsonObject("services").getJsonObject(name);
            assertThat(all.getJsonObject("secrets").fieldNames())
                    .containsAll(service.getJsonArray("secrets").stream().map(String::valueOf).toList());
            assertThat(all.getJsonObject("volumes").fieldNames())
                    .containsAll(service.getJsonArray("volumes").stream()
                            .map(volume -> String.valueOf(volume).replaceFirst(":.*", ""))
                            .toList());
        }
    }

    /** A variable that is no option of serve would be read by nobody. */
    @Test
    void eachVariableIsAnOptionOfServe() throws IOException {
        String options = Files.readString(Path.of("../../docs/cli.md"));
        for (String file : FILES) {
            Matcher variable = Pattern.compile("LOOPKEEPER_([A-Z_]+)").matcher(Files.readString(CONF.resolve(file)));
            while (variable.find()) {
                assertThat(options).contains("--" + variable.group(1).toLowerCase(Locale.ROOT).replace('_', '-'));
            }
        }
    }
}
