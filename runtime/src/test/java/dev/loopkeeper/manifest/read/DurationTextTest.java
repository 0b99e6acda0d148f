package dev.loopkeeper.manifest.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
    @ParameterizedTest
    @CsvSource({"1500ms, PT1.5S", "30s, PT30S", "10m, PT10M", "2h, PT2H", "0s, PT0S", "999999999h, PT999999999H"})
    void oneNumberAndOneUnitIsADuration(String text, Duration expected) {
        assertThat(DurationText.parse(text)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "1.5s", "-1s", "1h30m", "30 s", "30S", "1d", "9999999999h", "٣s", "30s\n"})
    void anythingElseIsNot(String text) {
        assertThat(DurationText.parse(text)).isEmpty();
    }
}
