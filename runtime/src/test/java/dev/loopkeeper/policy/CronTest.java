package dev.loopkeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When schedules fire, compared with a walk over every local minute that knows nothing of cron. */
class CronTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final LocalDateTime BEGIN = LocalDateTime.parse("2026-01-01T00:00");
    private static final LocalDateTime END = LocalDateTime.parse("2028-01-01T00:00");

    /** How an expression treats the hour that a clock change repeats, and the one that it leaves out. */
    private enum Change {
        /** Fires once in a repeated hour, and at the end of a gap. */
        FIXED,
        /** Fires in both, and at the end of a gap. */
        STEPS,
        /** Fires in each hour that exists. */
        EVERY_HOUR
    }

    private record Expected(String cron, Change change, Predicate<LocalDateTime> matches) {
        @Override
        public String toString() {
            return cron;
        }
    }

    private static Predicate<LocalDateTime> at(int hour, int minute) {
        return time -> time.getHour() == hour && time.getMinute() == minute;
    }

    private static Predicate<LocalDateTime> on(DayOfWeek... days) {
        return time -> List.of(days).contains(time.getDayOfWeek());
    }

    private static Stream<Expected> expressions() {
        return Stream.of(
                new Expected("0 2 * * *", Change.FIXED, at(2, 0)),
                new Expected("30 2 * * *", Change.FIXED, at(2, 30)),
                new Expected("45 1 * * sun", Change.FIXED, at(1, 45).and(on(DayOfWeek.SUNDAY))),
                new Expected("10 0 * * 7", Change.FIXED, at(0, 10).and(on(DayOfWeek.SUNDAY))),
                new Expected("15 3 * * Fri-Sat", Change.FIXED, at(3, 15).and(on(DayOfWeek.FRIDAY, DayOfWeek.SATURDAY))),
                new Expected(
                        "0 2 13 * FRI",
                        Change.FIXED,
                        at(2, 0).and(on(DayOfWeek.FRIDAY).or(time -> time.getDayOfMonth() == 13))),
                new Expected(
                        "5,35 1-3 * mar,oct *",
                        Change.FIXED,
                        time -> (time.getMinute() == 5 || time.getMinute() == 35)
                                && time.getHour() >= 1
                                && time.getHour() <= 3
                                && (time.getMonthValue() == 3 || time.getMonthValue() == 10)),
                new Expected("*/30 * * * *", Change.EVERY_HOUR, time -> time.getMinute() % 30 == 0),
                new Expected("30 * * * *", Change.EVERY_HOUR, time -> time.getMinute() == 30),
                new Expected("*/20 2 * * *", Change.STEPS, time -> time.getHour() == 2 && time.getMinute() % 20 == 0),
                new Expected("15 */2 * * *", Change.STEPS, time -> time.getHour() % 2 == 0 && time.getMinute() == 15),
                new Expected("@hourly", Change.EVERY_HOUR, time -> time.getMinute() == 0),
                new Expected("@daily", Change.FIXED, at(0, 0)),
                new Expected("@midnight", Change.FIXED, at(0, 0)),
                new Expected("@weekly", Change.FIXED, at(0, 0).and(on(DayOfWeek.SUNDAY))),
                new Expected("@monthly", Change.FIXED, at(0, 0).and(time -> time.getDayOfMonth() == 1)),
                new Expected("@yearly", Change.FIXED, at(0, 0).and(time -> time.getDayOfYear() == 1)),
                new Expected("@annually", Change.FIXED, at(0, 0).and(time -> time.getDayOfYear() == 1)));
    }

    @ParameterizedTest
    @MethodSource("expressions")
    void firesWhenAWalkOverEveryLocalMinuteSays(Expected expected) {
        Cron cron = Cron.of(expected.cron());
        List<LocalDateTime> matches = Stream.iterate(BEGIN, END::isAfter, minute -> minute.plusMinutes(1))
                .filter(expected.matches())
                .toList();
        for (String name :
                List.of("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Cairo")) {
            ZoneId zone = ZoneId.of(name);
            Instant end = END.atZone(zone).toInstant();
            List<Instant> fires = new ArrayList<>();
            Instant from = BEGIN.atZone(zone).toInstant().minusSeconds(1);
            for (Optional<Instant> next = cron.next(from, zone);
                    next.isPresent() && next.get().isBefore(end);
                    next = cron.next(next.get(), zone)) {
                fires.add(next.get());
            }

            assertThat(fires).as(name).containsExactlyElementsOf(instants(matches, expected.change(), zone));
        }
    }

    private static TreeSet<Instant> instants(List<LocalDateTime> matches, Change change, ZoneId zone) {
        TreeSet<Instant> fires = new TreeSet<>();
        for (LocalDateTime minute : matches) {
            List<ZoneOffset> offsets = zone.getRules().getValidOffsets(minute);
            if (offsets.isEmpty() && change != Change.EVERY_HOUR) {
                fires.add(zone.getRules().getTransition(minute).getInstant());
            }
            offsets.stream()
                    .limit(change == Change.FIXED ? 1 : 2)
                    .map(minute::toInstant)
                    .forEach(fires::add);
        }
        return fires;
    }

    @Test
    void aTimeInTheGapFiresAtItsEnd() {
        assertThat(Cron.of("30 2 * * *").next(Instant.parse("2026-03-28T12:00:00Z"), BERLIN))
                .contains(Instant.parse("2026-03-29T01:00:00Z"));
    }

    @Test
    void aTimeThatExistsTwiceFiresOnce() {
        Cron cron = Cron.of("30 2 * * *");

        assertThat(cron.next(Instant.parse("2026-10-24T12:00:00Z"), BERLIN))
                .contains(Instant.parse("2026-10-25T00:30:00Z"));
        assertThat(cron.next(Instant.parse("2026-10-25T00:30:00Z"), BERLIN))
                .contains(Instant.parse("2026-10-26T01:30:00Z"));
    }

    @Test
    void aLeapDayFiresAcrossAYearWithoutOne() {
        assertThat(Cron.of("0 0 29 2 *").next(Instant.parse("2096-03-01T00:00:00Z"), BERLIN))
                .contains(Instant.parse("2104-02-28T23:00:00Z"));
    }

    @Test
    void listsTheNewestTimesOfALongAbsence() {
        Instant until = Instant.parse("2026-06-01T12:00:00Z");

        assertThat(Cron.of("* * * * *").between(until.minusSeconds(90), until, BERLIN, 50))
                .containsExactly(until.minusSeconds(60), until);
        assertThat(Cron.of("* * * * *").between(Instant.EPOCH, until, BERLIN, 50))
                .hasSizeBetween(50, 200)
                .endsWith(until);
        assertThat(Cron.of("@yearly").between(Instant.parse("2024-06-01T00:00:00Z"), until, BERLIN, 50))
                .containsExactly(Instant.parse("2024-12-31T23:00:00Z"), Instant.parse("2025-12-31T23:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 31 2 *"})
    void refusesAnExpressionThatNeverFires(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Cron.of(text)).withMessageContaining("never fires");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "* * * *",
                "* * * * * *",
                "60 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "* * 32 * *",
                "* * * 13 *",
                "* * * * 8",
                "*/0 * * * *",
                "*/-1 * * * *",
                "5-1 * * * *",
                "a b c d e",
                "* * * foo *",
                "1,,2 * * * *",
                "1- * * * *",
                "0 2 L * *",
                "@reboot",
                "@never",
                "99999999999 * * * *"
            })
    void refusesWhatIsNoExpression(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cron.of(text))
                .withMessageContaining("'" + text + "' is not a cron expression");
    }
}
