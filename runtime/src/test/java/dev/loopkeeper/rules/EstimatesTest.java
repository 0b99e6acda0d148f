package dev.loopkeeper.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.Usage;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An estimated cost is treated as a cost, and gives way to a reported one. */
class EstimatesTest {
    private static Usage tokens(long count) {
        return new Usage(OptionalDouble.empty(), OptionalLong.of(count), OptionalLong.of(0), OptionalLong.empty());
    }

    private static Usage estimated(long count, double cost) {
        return tokens(count).estimatedAt(OptionalDouble.of(cost));
    }

    private static Usage reported(double cost) {
        return new Usage(OptionalDouble.of(cost), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
    }

    private static Usage counted(Usage before, Usage reported) {
        EarlierSession session =
                new EarlierSession("s", "b.1.dev.1", "b", 1, "here", "/w", false, OutputDialect.CODEX, before);
        return SessionTotals.counted(session, Usage.UNKNOWN, reported);
    }

    @Test
    void aReportedCostOutranksAnEstimateInAnyOrder() {
        assertThat(estimated(5, 2).or(reported(1))).isEqualTo(tokens(5).costing(reported(1)));
        assertThat(reported(0).or(estimated(5, 2)).costUsd()).hasValue(0);
        assertThat(Spending.most(estimated(5, 2), reported(1)).costUsd()).hasValue(1);
        assertThat(Spending.most(reported(1), estimated(5, 2)).estimated()).isFalse();
        assertThat(Spending.most(estimated(5, 2), estimated(6, 3))).isEqualTo(estimated(6, 3));
    }

    @Test
    void aRunWithAnEstimateKnowsItsCostAndSaysSo() {
        Spending spent = Spending.NOTHING.plus(reported(1)).plus(estimated(5, 2));

        assertThat(spent.costKnown()).isTrue();
        assertThat(spent.asUsage()).isEqualTo(estimated(5, 3));
        assertThat(Spending.NOTHING.plus(reported(1)).estimated()).isFalse();
    }

    @Test
    void onlyAnEstimateIsMarkedInJson() {
        assertThat(Json.MAPPER.valueToTree(estimated(5, 2)).path("estimated").asBoolean())
                .isTrue();
        assertThat(Json.MAPPER.valueToTree(reported(2)).has("estimated")).isFalse();
        assertThat(Json.MAPPER.convertValue(Json.MAPPER.valueToTree(estimated(5, 2)), Usage.class))
                .isEqualTo(estimated(5, 2));
    }

    /** Of a thread only the increase is the launch's; without a comparable earlier estimate it is unknown. */
    @ParameterizedTest
    @CsvSource({"100,1,300,3,200,2", "100,,300,3,200,", "100,5,300,3,200,", "100,1,300,,200,", ",,300,3,300,3"})
    void theCostOfAContinuedThreadIsItsIncrease(
            Long before, Double costBefore, long total, Double cost, long counted, Double costCounted) {
        Usage earlier =
                before == null ? Usage.UNKNOWN : costBefore == null ? tokens(before) : estimated(before, costBefore);

        Usage launch = counted(earlier, cost == null ? tokens(total) : estimated(total, cost));

        assertThat(launch).isEqualTo(costCounted == null ? tokens(counted) : estimated(counted, costCounted));
    }
}
