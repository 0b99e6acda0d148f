package dev.loopkeeper.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.TotalUsage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsedWordsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "nothing", textBlock = """
            null | null | null | null | false | nothing
            0.0  | 0    | 0    | 0    | true  | used $0.00, 0 tokens, 0 turns
            1.25 | 40   | 2    | 7    | true  | used $1.25, 42 tokens, 7 turns
            0.0  | 40   | null | null | false | used $0.00 or more, 40 tokens, unknown turns
            null | null | null | 3    | false | used unknown cost, unknown tokens, 3 turns
            """)
    void whatIsUnknownIsNotShownAs0(String cost, String input, String output, String turns, boolean known, String shown)
            throws JsonProcessingException {
        String usage = "{\"costUsd\": %s, \"inputTokens\": %s, \"outputTokens\": %s, \"turns\": %s, \"costKnown\": %s}";

        assertThat(RunWords.used(ViewJson.read(
                                Json.MAPPER.readTree(usage.formatted(cost, input, output, turns, known)),
                                TotalUsage.class))
                        .orElse(null))
                .isEqualTo(shown);
    }
}
