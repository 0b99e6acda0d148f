package dev.loopkeeper.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
    private static final List<String> KNOWN = List.of("reason", "maxRetryRate", "max_reject_rate", "now");

    @ParameterizedTest
    @CsvSource({
        "resaon, reason",
        "reaso, reason",
        "REASON, reason",
        "max-retry-rate, maxRetryRate",
        "maxRejectRates, max_reject_rate",
        "nov, now"
    })
    void isTheNameThatWasProbablyMeant(String given, String meant) {
        assertThat(NearestName.of(given, KNOWN)).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"workspace", "x", "''"})
    void findsNoneIfTooManyLettersDiffer(String given) {
        assertThat(NearestName.of(given, KNOWN)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"bogus, logs", "remove, resume", "logout, logs", "edit, init", "x, y"})
    void isNotAnotherWordOfTheSameLength(String given, String other) {
        assertThat(NearestName.of(given, List.of(other))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "stpo, stop",
        "rnu, run",
        "pasue, pause",
        "sumbit, submit",
        "retry, retries",
        "cost, costUsd",
        "ogs, logs",
        "SIGINT, INT"
    })
    void findsTheWordOfATypingError(String given, String meant) {
        assertThat(NearestName.of(given, List.of(meant))).contains(meant);
    }

    @Test
    void findsNoneForAVeryLongWord() {
        assertThat(NearestName.of("n".repeat(65), List.of("n".repeat(64)))).isEmpty();
    }

    @Test
    void isTheSpellingThatWasUsedWhereThereAreTwo() {
        assertThat(NearestName.of("max_retry_rates", List.of("maxRetryRate", "max_retry_rate")))
                .contains("max_retry_rate");
    }

    @Test
    void isTheFirstByAlphabetOfThoseThatAreEquallyNear() {
        assertThat(NearestName.of("bat", List.of("hat", "cat"))).contains("cat");
    }
}
