package dev.loopkeeper.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.assertj.core.api.SoftAssertions;

/** Remembers what was acknowledged and published, and holds later answers against it. */
final class TortureWitness {
    private final SoftAssertions softly;
    private final Map<String, Long> acknowledged = new HashMap<>();
    private final Map<String, Map<Long, JsonNode>> published = new HashMap<>();

    TortureWitness(SoftAssertions softly) {
        this.softly = softly;
    }

    /** An answer with a run in it. */
    void acknowledged(JsonNode run) {
        if (run.hasNonNull("runId")) {
            acknowledged.merge(run.path("runId").asText(), run.path("sequence").asLong(), Math::max);
        }
    }

    /** What the feed of one server said, which is gone now. */
    void published(List<JsonNode> messages) {
        for (JsonNode message : messages) {
            if (message.path("type").asText().equals("snapshot")) {
                message.path("runs").forEach(this::acknowledged);
            } else if (message.hasNonNull("runId")) {
                ObjectNode event = message.deepCopy();
                event.remove("cursor");
                JsonNode before = published
                        .computeIfAbsent(event.path("runId").asText(), run -> new TreeMap<>())
                        .put(event.path("sequence").asLong(), event);
                softly.assertThat(before == null || before.equals(event))
                        .as("an event of the feed changed: %s, then %s", before, event)
                        .isTrue();
            }
        }
    }

    /** Nothing of it is lost, and each execution ended at most once. */
    void check(String runId, List<JsonNode> events) {
        softly.assertThat(events.stream().map(TortureWitness::sequence))
                .as("sequences of " + runId)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, events.size()).boxed().toList());
        softly.assertThat((long) events.size())
                .as("acknowledged events of " + runId)
                .isGreaterThanOrEqualTo(acknowledged.getOrDefault(runId, 0L));
        published
                .getOrDefault(runId, Map.of())
                .forEach((sequence, event) -> softly.assertThat(events.size() < sequence ? null : at(events, sequence))
                        .as("event %d of %s, which the feed had", sequence, runId)
                        .isEqualTo(event));
        List<String> takenOver = events.stream()
                .filter(event -> event.at("/data/code").asText().equals("recovered"))
                .flatMap(event -> StreamSupport.stream(event.at("/data/steps").spliterator(), false))
                .map(JsonNode::asText)
                .toList();
        softly.assertThat(takenOver)
                .as("steps of %s that were taken over", runId)
                .doesNotHaveDuplicates();
        Map<Integer, Long> endings = events.stream()
                .filter(event -> event.path("type").asText().equals("run.ended"))
                .collect(Collectors.groupingBy(event -> event.path("execution").asInt(), Collectors.counting()));
        softly.assertThat(endings.values())
                .as("endings of each execution of " + runId)
                .allMatch(count -> count == 1);
    }

    private static JsonNode at(List<JsonNode> events, long sequence) {
        return events.get((int) sequence - 1);
    }

    private static long sequence(JsonNode event) {
        return event.path("sequence").asLong();
    }

    /** Every projection is whole, at any moment. */
    void checkProjections(Path data) throws IOException {
        if (!Files.isDirectory(data.resolve("runs"))) {
            return;
        }
        try (Stream<Path> runs = Files.list(data.resolve("runs"))) {
            runs.map(run -> run.resolve("checkpoint.json")).forEach(this::checkWhole);
        }
    }

    private void checkWhole(Path file) {
        try {
            JsonNode checkpoint = Json.MAPPER.readTree(Files.readString(file));
            softly.assertThat(checkpoint.hasNonNull("runId"))
                    .as(file.toString())
                    .isTrue();
        } catch (NoSuchFileException notYet) {
            return;
        } catch (IOException torn) {
            throw new UncheckedIOException(file + " is not JSON", torn);
        }
    }
}
