package dev.loopkeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cap holds back the runs that it limits once its cost or its tokens are used. */
class CapUseTest {
    private static final Instant NOW = Instant.parse("2026-11-29T04:00:00Z");

    private static CapUse use(String name, Window per, Cap.Match match, String costUsd, long tokens) {
        Cap cap = new Cap(name, OptionalDouble.of(40), OptionalLong.of(1000), per, ZoneOffset.UTC, match, 0.8);
        return new CapUse(cap, per.at(NOW, ZoneOffset.UTC), new BigDecimal(costUsd), BigDecimal.ZERO, tokens, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "0,0,BELOW",
        "31.99,799,BELOW",
        "32,0,WARNED",
        "0,800,WARNED",
        "39.99,999,WARNED",
        "40,0,REACHED",
        "0,1000,REACHED",
        "41.5,2000,REACHED",
    })
    void thePartThatIsUsedMostDecides(String costUsd, long tokens, CapUse.Level level) {
        assertThat(use("night", Window.DAY, Cap.Match.ALL, costUsd, tokens).level())
                .isEqualTo(level);
    }

    @Test
    void aCapWithoutCostOrTokensIsNotReachedByThem() {
        Cap cap = new Cap(
                "t", OptionalDouble.empty(), OptionalLong.of(10), Window.DAY, ZoneOffset.UTC, Cap.Match.ALL, 0.8);

        assertThat(new CapUse(cap, Window.DAY.at(NOW, ZoneOffset.UTC), BigDecimal.TEN, BigDecimal.ZERO, 0, 0).level())
                .isEqualTo(CapUse.Level.BELOW);
    }

    @Test
    void aRunWaitsForTheReachedCapWhoseWindowEndsLast() {
        Cap.Match fixes = new Cap.Match(Optional.of("fix-*"), Optional.empty());
        CapUse hour = use("hour", Window.HOUR, Cap.Match.ALL, "40", 0);
        CapUse month = use("month", Window.MONTH, fixes, "0", 1000);
        CapUse week = use("week", Window.WEEK, Cap.Match.ALL, "39", 0);

        assertThat(CapUse.awaited(List.of(hour, month, week), "fix-it", "/w")).contains(month);
        assertThat(CapUse.awaited(List.of(hour, month, week), "add-it", "/w")).contains(hour);
        assertThat(CapUse.awaited(List.of(month, week), "add-it", "/w")).isEmpty();
    }
}
