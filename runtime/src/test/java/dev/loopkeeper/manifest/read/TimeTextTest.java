package dev.loopkeeper.manifest.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
    /** Berlin has no 02:30 on 2026-03-29 and two on 2026-10-25; New York none on 2026-03-08; Lord Howe shifts by 30 m. */
    @ParameterizedTest
    @CsvSource({
        "22:00,                     Europe/Berlin,       2026-11-20T15:00:00Z, 2026-11-20T21:00:00Z",
        "22:00,                     UTC,                 2026-11-20T15:00:00Z, 2026-11-20T22:00:00Z",
        "22:00,                     America/New_York,    2026-11-20T15:00:00Z, 2026-11-21T03:00:00Z",
        "today 22:00,               Asia/Kolkata,        2026-11-20T15:00:00Z, 2026-11-20T16:30:00Z",
        "7:05,                      Europe/Berlin,       2026-11-20T15:00:00Z, 2026-11-20T06:05:00Z",
        "tomorrow 03:00,            Europe/Berlin,       2026-11-20T15:00:00Z, 2026-11-21T02:00:00Z",
        "Tomorrow  03:00,           Asia/Tokyo,          2026-11-20T15:00:00Z, 2026-11-21T18:00:00Z",
        "tomorrow 02:30,            Europe/Berlin,       2026-03-28T15:00:00Z, 2026-03-29T01:00:00Z",
        "tomorrow 03:00,            Europe/Berlin,       2026-03-28T15:00:00Z, 2026-03-29T01:00:00Z",
        "tomorrow 02:30,            America/New_York,    2026-03-07T15:00:00Z, 2026-03-08T07:00:00Z",
        "tomorrow 02:15,            Australia/Lord_Howe, 2026-10-03T01:00:00Z, 2026-10-03T15:30:00Z",
        "tomorrow 02:30,            Europe/Berlin,       2026-10-24T15:00:00Z, 2026-10-25T00:30:00Z",
        "02:30,                     Europe/Berlin,       2026-10-25T00:45:00Z, 2026-10-25T01:30:00Z",
        "in 2h,                     Europe/Berlin,       2026-03-29T00:30:00Z, 2026-03-29T02:30:00Z",
        "IN 90m,                    UTC,                 2026-11-20T15:00:00Z, 2026-11-20T16:30:00Z",
        "2026-11-20T22:00:00Z,      Asia/Tokyo,          2026-11-20T15:00:00Z, 2026-11-20T22:00:00Z",
        "2026-11-20t22:00:00+01:00, UTC,                 2026-11-20T15:00:00Z, 2026-11-20T21:00:00Z",
        "2026-11-20T22:00:00.5-05:00, UTC,               2026-11-20T15:00:00Z, 2026-11-21T03:00:00.500Z"
    })
    void aTimeIsThatOfTheCallersZone(String text, String zone, Instant now, Instant expected) {
        assertThat(TimeText.parse(text, now.atZone(ZoneId.of(zone)))).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "24:00", "22:60", "10pm", "tomorrow", "in 2", "in -2h", "2026-11-20", "2026-11-20T22:00:00"})
    void anythingElseIsNoTime(String text) {
        assertThat(TimeText.parse(text, Instant.EPOCH.atZone(ZoneId.of("UTC")))).isEmpty();
    }

    @Test
    void aTimeOverTheNetworkNamesItsOffset() {
        assertThat(TimeText.rfc3339("22:00")).isEmpty();
        assertThat(TimeText.rfc3339("2026-11-20T22:00:00Z")).contains(Instant.parse("2026-11-20T22:00:00Z"));
    }
}
