package dev.loopkeeper.manifest.read;

import static dev.loopkeeper.manifest.read.ManifestTexts.problems;
import static dev.loopkeeper.manifest.read.ManifestTexts.valid;
import static dev.loopkeeper.manifest.read.ManifestTexts.withPhase;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Fuzz;
import dev.loopkeeper.manifest.EachPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HostileManifestTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Test
    void noMutationOfTheSampleTextThrows() {
        Random random = new Random(Fuzz.seed(7));
        String sample = ManifestTexts.sample();
        for (int round = 0; round < Fuzz.rounds(1_000); round++) {
            StringBuilder text = new StringBuilder(sample);
            for (int change = random.nextInt(4); change >= 0; change--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, (char) random.nextInt(0x250));
                    default -> text.setCharAt(at, "[]{}:,-&*!|>'\"%@`#\t\n ".charAt(random.nextInt(21)));
                }
            }
            assertThat(ManifestTexts.read(text.toString())).isNotNull();
        }
    }

    @Test
    void noMutationOfTheSampleTreeThrows() {
        Random random = new Random(Fuzz.seed(11));
        JsonNode sample = ((DocumentReading.Parsed) ManifestText.parse(ManifestTexts.sample())).document();
        for (int round = 0; round < Fuzz.rounds(1_000); round++) {
            JsonNode document = sample.deepCopy();
            List<ObjectNode> maps = new ArrayList<>();
            collect(document, maps);
            ObjectNode map = maps.get(random.nextInt(maps.size()));
            List<String> keys = map.propertyStream().map(Map.Entry::getKey).toList();
            if (!keys.isEmpty()) {
                map.set(keys.get(random.nextInt(keys.size())), odd(random));
            }
            assertThat(ManifestReader.read(document)).isNotNull();
        }
    }

    private static void collect(JsonNode node, List<ObjectNode> maps) {
        if (node instanceof ObjectNode map) {
            maps.add(map);
        }
        node.forEach(child -> collect(child, maps));
    }

    private static JsonNode odd(Random random) {
        return switch (random.nextInt(9)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.textNode("\0\uD800{{");
            case 2 -> NODES.numberNode(-1);
            case 3 -> NODES.numberNode(Double.NaN);
            case 4 -> NODES.arrayNode().add(NODES.nullNode());
            case 5 -> NODES.objectNode().set("", NODES.nullNode());
            case 6 -> NODES.booleanNode(true);
            case 7 -> NODES.binaryNode(new byte[] {1});
            default -> NODES.textNode("");
        };
    }

    @Test
    void aLongChainOfItemsIsRead() {
        StringBuilder items = new StringBuilder("{id: i0}");
        for (int item = 1; item < 10_000; item++) {
            items.append(", {id: i")
                    .append(item)
                    .append(", dependsOn: [i")
                    .append(item - 1)
                    .append("]}");
        }

        EachPhase each = (EachPhase) valid(withPhase("{name: build, each: {steps: [dev], items: [" + items + "]}}"))
                .phase(0);

        assertThat(each.items()).hasSize(10_000);
    }

    @Test
    void aLongCircleIsNamedShortly() {
        StringBuilder items = new StringBuilder("{id: i0, dependsOn: [i4999]}");
        for (int item = 1; item < 5_000; item++) {
            items.append(", {id: i")
                    .append(item)
                    .append(", dependsOn: [i")
                    .append(item - 1)
                    .append("]}");
        }

        assertThat(problems(withPhase("{name: build, each: {steps: [dev], items: [" + items + "]}}")))
                .singleElement()
                .satisfies(problem -> assertThat(problem.text())
                        .contains("i0 -> i4999 -> i4998", "(5000 in all)")
                        .hasSizeLessThan(300));
    }

    @Test
    void problemsAreNotCountedWithoutEnd() {
        assertThat(problems("name: demo\n" + ManifestTexts.REST + "notify: [" + "1, ".repeat(100_000) + "1]"))
                .hasSize(500);
    }

    @Test
    void namesAreShownHarmlessAndShort() {
        String key = "k\\u001b[31m" + "x".repeat(10_000);
        String text = "{\"name\": \"demo\", \"" + key + "\": 1}";

        assertThat(problems(text))
                .anySatisfy(problem -> assertThat(problem.text())
                        .startsWith("[\"k?[31mxxx")
                        .hasSizeLessThan(300)
                        .doesNotContain("\u001b"));
    }
}
