package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Fuzz;
import dev.loopkeeper.manifest.OutputDialect;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutputFuzzTest {
    private static final String[] WORDS = {
        "{",
        "}",
        "[",
        "]",
        "\n",
        "\r\n",
        "\"",
        ":",
        ",",
        "\\",
        "\\u00",
        "{\"type\":\"result\"",
        "\"subtype\":\"success\"",
        "{\"type\":\"assistant\",\"message\":{\"id\":\"m\",\"usage\":{\"input_tokens\":",
        "{\"type\":\"turn.completed\"",
        "{\"type\":\"step_finish\",\"part\":",
        "\"error\":{\"code\":",
        "\"usage\":",
        "\"stats\":{\"models\":",
        "1e999",
        "-1",
        "9".repeat(400),
        "null",
        "true",
        "HTTP 429 retry after ",
        "\uFEFF",
        "\u0000",
        "{\n",
        "}\n",
        "[\n",
        "]\n"
    };

    @ParameterizedTest
    @EnumSource(OutputDialect.class)
    void neverFailsOnRandomBytes(OutputDialect dialect) {
        var random = new SplittableRandom(Fuzz.seed(7));
        for (int round = 0; round < Fuzz.rounds(10); round++) {
            byte[] bytes = new byte[random.nextInt(2_000)];
            random.nextBytes(bytes);
            survives(new Transcript(dialect, bytes, bytes), random);
        }
    }

    @ParameterizedTest
    @EnumSource(OutputDialect.class)
    void neverFailsOnAlmostItsOwnLanguage(OutputDialect dialect) {
        var random = new SplittableRandom(Fuzz.seed(11));
        for (int round = 0; round < Fuzz.rounds(20); round++) {
            var text = new StringBuilder();
            for (int i = random.nextInt(40); i > 0; i--) {
                text.append(WORDS[random.nextInt(WORDS.length)]);
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            survives(new Transcript(dialect, bytes, bytes), random);
        }
    }

    private static void survives(Transcript transcript, SplittableRandom random) {
        ExitFacts exit = Exits.exited(random.nextInt(256));
        assertThat(transcript.read(exit, 1 + random.nextInt(500)).summary().termination())
                .isNotBlank();
    }
}
