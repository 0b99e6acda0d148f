package dev.loopkeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.WireName;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The windows of a cap are those of the calendar in its zone. */
class WindowTest {
    @ParameterizedTest
    @CsvSource({
        "hour,UTC,2026-11-29T04:59:59.999Z,2026-11-29T04:00:00Z,2026-11-29T05:00:00Z",
        "hour,Asia/Kolkata,2026-11-29T04:40:00Z,2026-11-29T04:30:00Z,2026-11-29T05:30:00Z",
        "day,Europe/Berlin,2026-11-28T23:00:00Z,2026-11-28T23:00:00Z,2026-11-29T23:00:00Z",
        "day,Europe/Berlin,2026-11-28T22:59:59Z,2026-11-27T23:00:00Z,2026-11-28T23:00:00Z",
        // 23 hours in spring, 25 in autumn
        "day,Europe/Berlin,2026-03-29T12:00:00Z,2026-03-28T23:00:00Z,2026-03-29T22:00:00Z",
        "day,Europe/Berlin,2026-10-25T12:00:00Z,2026-10-24T22:00:00Z,2026-10-25T23:00:00Z",
        // No midnight on the day of the change
        "day,Africa/Cairo,2026-04-24T12:00:00Z,2026-04-23T22:00:00Z,2026-04-24T21:00:00Z",
        // The hour that occurs twice, and the one after a gap
        "hour,Europe/Berlin,2026-10-25T00:30:00Z,2026-10-25T00:00:00Z,2026-10-25T01:00:00Z",
        "hour,Europe/Berlin,2026-10-25T01:30:00Z,2026-10-25T01:00:00Z,2026-10-25T02:00:00Z",
        "hour,Europe/Berlin,2026-03-29T01:30:00Z,2026-03-29T01:00:00Z,2026-03-29T02:00:00Z",
        // A change by half an hour
        "hour,Australia/Lord_Howe,2026-04-04T15:15:00Z,2026-04-04T15:00:00Z,2026-04-04T15:30:00Z",
        "week,UTC,2026-11-29T12:00:00Z,2026-11-23T00:00:00Z,2026-11-30T00:00:00Z",
        "week,UTC,2027-01-01T12:00:00Z,2026-12-28T00:00:00Z,2027-01-04T00:00:00Z",
        "week,Europe/Berlin,2026-03-29T12:00:00Z,2026-03-22T23:00:00Z,2026-03-29T22:00:00Z",
        "month,UTC,2028-02-29T12:00:00Z,2028-02-01T00:00:00Z,2028-03-01T00:00:00Z",
        "month,America/New_York,2027-01-01T04:59:59Z,2026-12-01T05:00:00Z,2027-01-01T05:00:00Z",
    })
    void containsTheInstant(String window, String zone, Instant at, Instant start, Instant end) {
        assertThat(WireName.find(Window.class, window).orElseThrow().at(at, ZoneId.of(zone)))
                .isEqualTo(new Window.Span(start, end));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UTC",
                "Europe/Berlin",
                "America/New_York",
                "Australia/Lord_Howe",
                "Asia/Kathmandu",
                "Africa/Cairo"
            })
    void eachWindowBeginsWhereTheOneBeforeEnds(String name) {
        ZoneId zone = ZoneId.of(name);
        Instant last = Instant.parse("2028-01-02T00:00:00Z");
        for (Window window : Window.values()) {
            List<Window.Span> wrong = new ArrayList<>();
            Window.Span span = window.at(Instant.parse("2026-01-01T00:00:00Z"), zone);
            while (span.end().isBefore(last)) {
                Window.Span next = window.at(span.end(), zone);
                boolean whole = window.at(
                                        span.start()
                                                .plus(Duration.between(span.start(), span.end())
                                                        .dividedBy(2)),
                                        zone)
                                .equals(span)
                        && window.at(span.end().minusNanos(1), zone).equals(span);
                if (!next.start().equals(span.end()) || !whole || !span.start().isBefore(span.end())) {
                    wrong.add(span);
                }
                span = next;
            }
            assertThat(wrong).as(window + " " + name).isEmpty();
        }
    }
}
