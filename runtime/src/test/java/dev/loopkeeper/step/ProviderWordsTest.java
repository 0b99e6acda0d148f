package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What providers and programs say beside the corpus, and all the ways to state when to come again. */
class ProviderWordsTest {
    private static final Instant NOW = Instant.parse("2026-07-04T09:00:00Z");
    private static final ZoneId UTC = ZoneId.of("UTC");

    static Stream<String> errors() throws IOException {
        return lines("more-errors.txt");
    }

    static Stream<String> delays() throws IOException {
        return lines("stated-delays.txt");
    }

    @ParameterizedTest
    @MethodSource("errors")
    void meansWhatItSays(String line) {
        String[] parts = line.split(" \\| ", 2);
        String kind = parts[0].strip().equals("ordinary") ? "unclassified" : parts[0].strip();
        assertThat(ErrorClassifier.classify(ErrorRules.builtIn(), StructuredError.text(parts[1]), NOW, UTC)
                        .kind()
                        .wire())
                .isEqualTo(kind);
    }

    @ParameterizedTest
    @MethodSource("delays")
    void statesWhenToComeAgain(String line) {
        String[] parts = line.split(" \\| ", 2);
        Classification found = ErrorClassifier.classify(
                ErrorRules.builtIn(), StructuredError.text("HTTP 429 rate limit exceeded. " + parts[1]), NOW, UTC);
        assertThat(found.error().retryAfterMs().orElse(0)).isEqualTo(Long.parseLong(parts[0].strip()));
    }

    private static Stream<String> lines(String resource) throws IOException {
        return ErrorCorpusTest.resource(resource).lines().filter(line -> !line.startsWith("#"));
    }
}
