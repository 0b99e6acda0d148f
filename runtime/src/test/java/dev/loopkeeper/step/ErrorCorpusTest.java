package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Real messages of agents, providers and runtimes, each with its source and what it means. Prints precision and recall
 * per kind; the figures reached are the lowest that pass.
 */
class ErrorCorpusTest {
    private static final Instant USUAL_NOW = Instant.parse("2026-07-04T09:00:00Z");
    private static final ZoneId UTC = ZoneId.of("UTC");

    private record CorpusLine(JsonNode record, Classification found) {
        String wanted() {
            return record.get("kind").asText();
        }

        String got() {
            return found.kind().wire();
        }

        boolean isRight() {
            return got().equals(wanted())
                    || StreamSupport.stream(record.path("alsoAcceptable").spliterator(), false)
                            .anyMatch(kind -> kind.asText().equals(got()));
        }

        boolean isSure() {
            return record.get("confidence").asText().equals("high");
        }

        boolean isOrdinary() {
            return record.path("negative").asBoolean();
        }

        boolean statesATime() {
            return record.hasNonNull("retryAfterMs") || record.hasNonNull("resumeAt");
        }

        boolean timeIsRight() {
            return record.hasNonNull("resumeAt")
                    ? found.resumeAt()
                            .filter(Instant.parse(record.get("resumeAt").asText())::equals)
                            .isPresent()
                    : found.error().retryAfterMs().orElse(-1)
                            == record.get("retryAfterMs").asLong();
        }
    }

    private static List<CorpusLine> lines;

    @BeforeAll
    static void read() throws IOException {
        ObjectMapper json = new ObjectMapper();
        lines = new ArrayList<>();
        for (String line : resource("error-corpus.jsonl").lines().toList()) {
            JsonNode record = json.readTree(line);
            Instant now = record.has("now") ? Instant.parse(record.get("now").asText()) : USUAL_NOW;
            lines.add(new CorpusLine(
                    record,
                    ErrorClassifier.classify(
                            ErrorRules.builtIn(),
                            StructuredError.text(record.get("text").asText()),
                            now,
                            UTC)));
        }
        System.out.print(figures());
    }

    @Test
    void classifiesEveryLineOfHighConfidence() {
        assertThat(lines.stream().filter(CorpusLine::isSure).filter(line -> !line.isRight()))
                .isEmpty();
    }

    @Test
    void classifiesALineOfMediumConfidenceAcceptablyOrNotAtAll() {
        assertThat(lines.stream().filter(line -> !line.isSure()).filter(line -> !line.isRight()))
                .allMatch(line -> line.found().kind() == ErrorKind.UNCLASSIFIED)
                .hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void classifiesNoOrdinaryOutputAsAnError() {
        assertThat(lines.stream()
                        .filter(CorpusLine::isOrdinary)
                        .filter(line -> line.found().kind() != ErrorKind.UNCLASSIFIED))
                .isEmpty();
    }

    @Test
    void knowsWhichErrorsAreTransient() {
        assertThat(lines.stream()
                        .filter(CorpusLine::isSure)
                        .filter(line -> line.found().error().isTransient()
                                != line.record().get("isTransient").asBoolean()))
                .isEmpty();
    }

    @Test
    void everyStatedDelayAndResetIsRead() {
        assertThat(lines.stream().filter(CorpusLine::statesATime).filter(line -> !line.timeIsRight()))
                .isEmpty();
    }

    @Test
    void noDelayIsReadWhereNoneIsStated() {
        assertThat(lines.stream()
                        .filter(line -> !line.statesATime() && !line.record().hasNonNull("resetsAt"))
                        .filter(line -> line.found().resumeAt().isPresent()))
                .isEmpty();
    }

    private static String figures() {
        Map<String, int[]> kinds = new TreeMap<>();
        for (CorpusLine line : lines) {
            kinds.computeIfAbsent(line.wanted(), kind -> new int[3])[0]++;
            kinds.computeIfAbsent(line.isRight() ? line.wanted() : line.got(), kind -> new int[3])[1]++;
            kinds.get(line.wanted())[2] += line.isRight() ? 1 : 0;
        }
        StringBuilder table = new StringBuilder("kind               lines  recall  precision\n");
        kinds.forEach((kind, counts) -> table.append(String.format(
                Locale.ROOT,
                "%-18s %5d  %5.1f%%  %8.1f%%%n",
                kind,
                counts[0],
                100.0 * counts[2] / Math.max(1, counts[0]),
                100.0 * counts[2] / Math.max(1, counts[1]))));
        return table.toString();
    }

    static String resource(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(ErrorCorpusTest.class.getResourceAsStream(name))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
