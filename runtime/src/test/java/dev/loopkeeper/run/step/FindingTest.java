package dev.loopkeeper.run.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.BoundedText;
import dev.loopkeeper.verdict.SignalExpectation;
import dev.loopkeeper.verdict.SignalReader;
import dev.loopkeeper.verdict.SignalReading;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FindingTest {
    private static final SignalExpectation EXPECTED = new SignalExpectation("n", 1, Optional.empty());

    private static Finding finding(Map<String, ?> fields) throws Exception {
        byte[] content = Json.MAPPER.writeValueAsString(fields).getBytes(StandardCharsets.UTF_8);
        SignalReading reading = SignalReader.read(Optional.of(content), EXPECTED);
        return Finding.of(Optional.of(((SignalReading.Valid) reading).signal()), Optional.empty(), Optional.empty());
    }

    @Test
    void whatASignalOfAMegabyteSaysIsBounded() throws Exception {
        Finding said = finding(
                Map.of("status", "partial", "keyConcern", "ä".repeat(400_000), "anomalyType", "x".repeat(100_000)));

        assertThat(BoundedText.bytes(said.keyConcern().orElseThrow())).isLessThanOrEqualTo(Finding.MOST_BYTES);
        assertThat(said.keyConcern().orElseThrow()).endsWith("[loopkeeper: the rest is cut]");
        assertThat(BoundedText.bytes(said.anomalyType().orElseThrow())).isLessThanOrEqualTo(Finding.MOST_BYTES);
    }

    @Test
    void ofManyQuestionsThoseThatFitAreKeptAndACutIsMarked() throws Exception {
        List<String> asked = Collections.nCopies(10, "?".repeat(16_000));

        List<String> kept =
                finding(Map.of("status", "partial", "questions", asked)).questions();

        assertThat(kept).hasSize(5);
        assertThat(kept.subList(0, 4)).isEqualTo(asked.subList(0, 4));
        assertThat(kept.get(4)).endsWith("[loopkeeper: the rest is cut]");
    }

    @Test
    void whatFitsIsAsItWasSaid() throws Exception {
        List<String> gaps = List.of("a".repeat(32_000), "b".repeat(32_000));

        assertThat(finding(Map.of("status", "partial", "gaps", gaps)).gaps()).isEqualTo(gaps);
    }
}
