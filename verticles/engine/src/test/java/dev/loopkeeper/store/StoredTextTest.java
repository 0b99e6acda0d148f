package dev.loopkeeper.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredTextTest {
    private static final DateTimeFormatter NINE_DIGITS =
            new DateTimeFormatterBuilder().appendInstant(9).toFormatter();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-20T15:20:11Z",
                "2026-11-20T15:20:11.120Z",
                "2026-11-20T15:20:11.120400Z",
                "2026-11-20T15:20:11.000000001Z",
                "2026-11-20T15:21:15.001Z",
                "2026-11-20T15:21:15.000100Z",
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999999Z",
                "-0001-01-01T00:00:00.5Z",
                "+12345-06-07T08:09:10.000010Z"
            })
    void timesStandAsTheFormattersOfJavaWriteThem(String text) {
        Instant time = Instant.parse(text);

        assertThat(StoredText.of(time)).isEqualTo(NINE_DIGITS.format(time));
        assertThat(StoredText.shortest(time)).isEqualTo(time.toString());
        assertThat(StoredText.of(time.plusSeconds(64))).isEqualTo(NINE_DIGITS.format(time.plusSeconds(64)));
        assertThat(StoredText.of(time)).isEqualTo(NINE_DIGITS.format(time));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-20T15:20:11Z",
                "2026-11-20T15:20:11.120Z",
                "2026-11-20T15:20:11.120400001Z",
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999999Z",
                "-0001-01-01T00:00:00.500Z",
                "+12345-06-07T08:09:10.000010Z"
            })
    void timesAreReadAsJavaReadsThemAlsoAfterOthersOfTheirSecond(String text) {
        Instant time = Instant.parse(text);
        Instant start = time.truncatedTo(ChronoUnit.SECONDS);
        for (Instant each :
                List.of(time, start, start.plusNanos(1), start.plusMillis(999), time.plusSeconds(1), time)) {
            assertThat(StoredText.time(StoredText.of(each))).isEqualTo(each);
            assertThat(StoredText.time(StoredText.shortest(each))).isEqualTo(each);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-11-20T15:20:11.",
                "2026-11-20T15:20:11.12",
                "2026-11-20T15:20:11.1x0Z",
                "2026-11-20T15:20:11.-10Z",
                "2026-11-20T15:20:11.1234567890Z",
                "2026-11-20T15:20:61.120Z"
            })
    void whatIsNoTimeIsRefusedAlsoAfterOneOfItsSecond(String text) {
        Instant time = Instant.parse("2026-11-20T15:20:11.120Z");

        assertThat(StoredText.time(time.toString())).isEqualTo(time);
        assertThatThrownBy(() -> StoredText.time(text)).isInstanceOf(DateTimeParseException.class);
        assertThat(StoredText.time(time.toString())).isEqualTo(time);
    }
}
