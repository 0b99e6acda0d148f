package dev.loopkeeper.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredTextTest {
    @ParameterizedTest
    @CsvSource({
        "2026-11-20T15:20:11Z, 2026-11-20T15:20:11.000000000Z",
        "2026-11-20T15:20:11.120Z, 2026-11-20T15:20:11.120000000Z",
        "2026-11-20T15:20:11.000000001Z, 2026-11-20T15:20:11.000000001Z",
        "1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999999999Z",
    })
    void timesHaveNineDigitsSoThatTheirTextsSort(String time, String text) {
        assertThat(StoredText.of(Instant.parse(time))).isEqualTo(text);
        assertThat(Instant.parse(text)).isEqualTo(Instant.parse(time));
    }
}
