package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryTimesTest {
    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final ZoneId UTC = ZoneId.of("UTC");

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "1200; Please try again in 1.2s.",
                "45000; rate limit exceeded, reset in 45s",
                "30000; retry after 30 seconds",
                "30000; Retry-After: 30",
                "30000; \"retry-after\": \"30\"",
                "500; retry-after-ms: 500",
                "80000; retry after 1 minute and 20 seconds",
                "7200000; retry after 2h",
                "2000; retry_after=2",
                "34074; Please retry in 34.074s.",
                "34000; \"retryDelay\":\"34s\"",
                "300000; try again in 5 minutes",
                "300000; The provider will be back in 5 minutes.",
                "8000000; Your quota will reset after 2h13m20s.",
                "80000; try again in 1 minute and 20 seconds",
                "90; try again in 90ms",
                "60000; please wait 60 seconds",
                "7200000; available again in about 2 hours",
                "5000; took 3 seconds in 2 seconds of work. retry-after: 5. Try again in 9s",
                "0; retry-after: 0"
            })
    void readsDelays(long millis, String text) {
        assertThat(find(text, UTC)).isEqualTo(NOW.plusMillis(millis));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "2026-11-20T14:00:00Z; You've hit your session limit · resets 3pm (Europe/Berlin)",
                "2026-11-21T08:00:00Z; resets 9am (Europe/Berlin)",
                "2026-11-24T09:00:00Z; You've hit your weekly limit · resets Nov 24, 9am (UTC)",
                "2026-11-24T09:05:00Z; Try again at Nov 24th, 2026 9:05 AM.",
                "2027-01-02T00:30:00Z; resets Jan 2 at 12:30am (UTC)",
                "2026-11-20T15:45:00Z; You've hit your usage limit. Try again at 3:45 PM.",
                "2026-11-20T12:00:00Z; resets at 12pm",
                "2026-11-21T00:00:00Z; resets 12am",
                "2026-11-20T15:30:00Z; resets 15:30 UTC",
                "2026-11-23T09:00:00Z; resets Mon 9am (UTC)",
                "2026-11-20T16:00:00Z; resets 4pm (Nowhere/AtAll)",
                "2026-11-30T12:26:40Z; usage limit reached|1796041600",
                "2026-11-30T12:26:40.123Z; usage limit reached|1796041600123",
                "2026-11-20T15:00:00Z; retry-after: Fri, 20 Nov 2026 15:00:00 GMT",
                "2026-11-20T23:00:00Z; You've hit your limit · resets 3pm PST",
                "2026-11-20T23:00:00Z; resets 3pm PT",
                "2026-11-20T20:00:00Z; resets 3pm (EDT)",
                "2026-11-20T15:00:00Z; resets 3pm (BST)",
                "2026-11-20T14:00:00Z; resets 3pm (CEST)",
                "2026-11-20T14:00:00Z; resets 3pm (europe/berlin)",
                "2026-11-21T09:30:00Z; resets 3pm (UTC+05:30)",
                "2026-11-20T21:00:00Z; resets 2026-11-20T23:00:00+0200",
                "2026-11-20T21:00:00Z; resets at 2026-11-20 23:00:00 +02:00",
                "2026-12-04T10:00:00Z; try again in 2 weeks",
                "2026-11-20T15:00:00Z; retry after 3pm",
                "2026-11-20T15:00:00Z; retry after 3 PM",
                "2026-11-20T15:00:00Z; try again after 2026-11-20T15:00:00Z",
                "2026-11-20T14:00:00Z; resets at 2026-11-20T15:00:00+01:00"
            })
    void readsPointsInTime(Instant at, String text) {
        assertThat(find(text, UTC)).isEqualTo(at);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "took 14295ms",
                "failed in 3 seconds",
                "completed in 5 minutes",
                "retry",
                "resets 25pm",
                "resets 13am",
                "resets Feb 30, 9am",
                "usage limit reached|173568960012",
                "try again in 900 days",
                ""
            })
    void findsNothingWhereNothingIsSaid(String text) {
        assertThat(RetryTimes.find(text, NOW, UTC)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // Put forward at 2:00 on 29 March and back at 3:00 on 25 October.
        "2026-03-28T20:00:00Z, Europe/Berlin, resets 3pm, 2026-03-29T13:00:00Z",
        "2026-03-28T20:00:00Z, Europe/Berlin, resets 2:30am, 2026-03-29T01:30:00Z",
        "2026-10-24T20:00:00Z, Europe/Berlin, resets 3pm, 2026-10-25T14:00:00Z",
        "2026-10-24T20:00:00Z, Europe/Berlin, resets 2:30am, 2026-10-25T00:30:00Z",
        "2026-10-25T00:45:00Z, Europe/Berlin, resets 2:30am, 2026-10-25T01:30:00Z",
        "2026-10-25T01:45:00Z, Europe/Berlin, resets 2:30am, 2026-10-26T01:30:00Z",
        // Put forward at 2:00 on 8 March and back at 2:00 on 1 November.
        "2026-03-08T04:00:00Z, America/New_York, resets 3pm, 2026-03-08T19:00:00Z",
        "2026-03-08T04:00:00Z, America/New_York, resets 2:30am, 2026-03-08T07:30:00Z",
        "2026-11-01T04:00:00Z, America/New_York, resets 3pm, 2026-11-01T20:00:00Z",
        "2026-11-01T04:00:00Z, America/New_York, resets 1:30am, 2026-11-01T05:30:00Z",
        "2026-11-01T05:45:00Z, America/New_York, resets 1:30am, 2026-11-01T06:30:00Z"
    })
    void findsTheNextSuchTimeAcrossAChangeOfClocks(Instant now, String zone, String text, Instant at) {
        assertThat(RetryTimes.find(text, now, ZoneId.of(zone))).contains(at);
        assertThat(RetryTimes.find(text + " (" + zone + ")", now, UTC)).contains(at);
    }

    @Test
    void isAlwaysInTheFutureForATimeOfDay() {
        for (int minute = 0; minute < 60 * 24 * 7; minute += 7) {
            Instant now = Instant.parse("2026-10-22T00:00:00Z").plus(Duration.ofMinutes(minute));
            Instant at = RetryTimes.find("resets 2:30am", now, ZoneId.of("Europe/Berlin"))
                    .orElseThrow();
            assertThat(at).isAfter(now).isBeforeOrEqualTo(now.plus(Duration.ofHours(25)));
        }
    }

    @Test
    void readsTheValueOfAHeader() {
        assertThat(RetryTimes.find("retry-after: 17", NOW, UTC)).contains(NOW.plusSeconds(17));
        assertThat(RetryTimes.find("retry-after: Fri, 20 Nov 2026 10:00:09 GMT", NOW, UTC))
                .contains(NOW.plusSeconds(9));
    }

    private static Instant find(String text, ZoneId zone) {
        return RetryTimes.find(text, NOW, zone).orElseThrow(() -> new AssertionError("nothing found in: " + text));
    }
}
