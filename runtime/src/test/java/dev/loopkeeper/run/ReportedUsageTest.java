package dev.loopkeeper.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Each report of a step adds what it has more than the one before. */
class ReportedUsageTest {
    private static final Instant AT = Instant.parse("2026-11-29T04:00:00Z");

    private final ReportedUsage.Reader reader = new ReportedUsage.Reader(Optional.empty());

    private static StepUsage report(String step, double costUsd, long tokens, boolean estimated) {
        return new StepUsage(
                step,
                new Usage(
                        OptionalDouble.of(costUsd),
                        OptionalLong.of(tokens),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        estimated));
    }

    @Test
    void countsWhatEachReportAdds() {
        assertThat(reader.read(List.of(report("a", 0.1, 10, false), report("b", 0.2, 5, false)), AT))
                .contains(new ReportedUsage(AT, 300_000_000, 0, 15, 0));
        assertThat(reader.read(List.of(report("a", 0.3, 17, false)), AT))
                .contains(new ReportedUsage(AT, 200_000_000, 0, 7, 0));
        assertThat(reader.read(List.of(report("a", 0.3, 17, false)), AT)).isEmpty();
    }

    @Test
    void replacesAnEstimateByAReportedCost() {
        assertThat(reader.read(List.of(report("a", 3, 10, true)), AT))
                .contains(new ReportedUsage(AT, 3_000_000_000L, 3_000_000_000L, 10, 0));
        assertThat(reader.read(List.of(report("a", 2, 10, false)), AT))
                .contains(new ReportedUsage(AT, -1_000_000_000L, -3_000_000_000L, 0, 0));
    }

    @Test
    void anAbsurdReportIsBounded() {
        assertThat(reader.read(List.of(report("a", Double.MAX_VALUE, Long.MAX_VALUE, false)), AT))
                .contains(new ReportedUsage(AT, 1_000_000_000_000_000L, 0, 1_000_000_000_000_000L, 0));
    }
}
