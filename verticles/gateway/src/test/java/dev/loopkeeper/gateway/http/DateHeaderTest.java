package dev.loopkeeper.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class DateHeaderTest {
    @Test
    void aDayHasTwoDigitsAndTheTextIsThatOfItsSecond() {
        DateHeader header = new DateHeader();
        long second = Instant.parse("2026-11-01T09:05:00Z").getEpochSecond();

        assertThat(header.text(second))
                .isEqualTo("Sun, 01 Nov 2026 09:05:00 GMT")
                .isSameAs(header.text(second));
        assertThat(header.text(second + 1)).isEqualTo("Sun, 01 Nov 2026 09:05:01 GMT");
    }
}
