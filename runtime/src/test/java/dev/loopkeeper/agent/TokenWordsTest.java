package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.Usage;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenWordsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "total tokens: 1234; 1234",
                "Done. Total tokens: 1,234,567.; 1234567",
                "tokens used: 99; 99",
                "Tokens used = 12,345; 12345",
                "[2026-11-20] usage: 812 tokens; 812",
                "usage: 812 tokens, cost unknown; 812",
                "total tokens: 5 then total tokens: 7; 7"
            })
    void readsTheFiguresOfTheTable(String text, long tokens) {
        assertThat(TokenWords.find(text).inputTokens()).hasValue(tokens);
        assertThat(TokenWords.find(text).costUsd()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "subtotal tokens: 12",
                "total tokens",
                "total tokens: 1.5k",
                "total tokens: 12k",
                "total tokens: about 12",
                "usage: loopkeeper run MANIFEST",
                "disk usage: 12 tokenshops",
                "usage: 12 files",
                "tokens unused: 12"
            })
    void ignoresSimilarWords(String text) {
        assertThat(TokenWords.find(text)).isEqualTo(Usage.UNKNOWN);
    }

    @Test
    void readsAFigureOnALineOfItsOwn() {
        assertThat(TokenWords.find("codex\nAll done.\ntokens used\n8,123\n").inputTokens())
                .hasValue(8123);
    }

    @Test
    void isQuickOnTextThatAlmostMatches() {
        String text = ("total tokens:   " + "9".repeat(200) + "usage:  1,111,").repeat(2_000);
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            assertThat(TokenWords.find(text)).isEqualTo(Usage.UNKNOWN);
        });
    }

    @Test
    void aTextAgentIsReadAtItsEnd() {
        AgentReport quiet = Transcript.printed(OutputDialect.TEXT, "working\ntotal tokens: 70\n")
                .complaining("tokens used: 9\n")
                .read(Exits.exited(0));
        assertThat(quiet.summary().usage().inputTokens()).hasValue(70);
        AgentReport loud = Transcript.printed(OutputDialect.TEXT, "working\n")
                .complaining("tokens used: 9\n")
                .read(Exits.exited(1));
        assertThat(loud.summary().usage().inputTokens()).hasValue(9);
    }
}
