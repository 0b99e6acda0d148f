package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code schedules} prints without a server. */
class SchedulesTest {
    @TempDir
    private Path folder;

    private Terminal.CommandOutput next(String... arguments) {
        return new Terminal(folder).type(arguments);
    }

    @Test
    void printsTheNextTimesAcrossAClockChange() {
        Terminal.CommandOutput result = next(
                "schedules", "next", "30 2 * * *", "--zone", "Europe/Berlin", "--from", "2026-03-28", "--count", "3");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out().lines())
                .containsExactly("2026-03-28T02:30:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00");
    }

    @Test
    void printsTheTimesAsJson() {
        Terminal.CommandOutput result =
                next("schedules", "next", "@daily", "--from", "2026-10-24T12:00:00+02:00", "--json");

        assertThat(result.json().path("times")).hasSize(5);
        assertThat(result.json().path("times").path(0).asText()).isEqualTo("2026-10-25T00:00:00Z");
        assertThat(result.json().path("zone").asText()).isEqualTo("UTC");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0 30 2 * | UTC           | 2026-03-28 | 1    | never fires",
                "60 * * * * | UTC           | 2026-03-28 | 1    | minute '60' is not",
                "@fortnight | UTC           | 2026-03-28 | 1    | @daily",
                "@daily     | Europe/Berlim | 2026-03-28 | 1    | did you mean Europe/Berlin?",
                "@daily     | UTC           | 28.3.      | 1    | --from '28.3.' is not a time",
                "@daily     | UTC           | +999999999-12-31 | 1 | is not a time",
                "@daily     | UTC           | 2026-03-28 | 0    | --count must be 1 to 1000",
                "@daily     | UTC           | 2026-03-28 | 1001 | --count must be 1 to 1000"
            })
    void refusesBadInput(String cron, String zone, String from, String count, String message) {
        Terminal.CommandOutput result =
                next("schedules", "next", cron, "--zone", zone, "--from", from, "--count", count);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains(message);
    }
}
