package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.BackoffSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
    private static final BackoffSpec QUICK = new BackoffSpec(Duration.ofMillis(100), 2, Duration.ofSeconds(1), 0.2);

    @ParameterizedTest
    @CsvSource({"1, PT1S", "2, PT2S", "3, PT4S", "9, PT4M16S", "10, PT5M", "2147483647, PT5M", "0, PT1S", "-7, PT1S"})
    void growsUpToItsMaximum(int tryNumber, Duration delay) {
        assertThat(Backoff.delay(BackoffSpec.DEFAULTS, tryNumber, 0.5)).isEqualTo(delay);
    }

    @ParameterizedTest
    @CsvSource({"0, PT0.8S", "0.5, PT1S", "1, PT1.2S", "-3, PT0.8S", "9, PT1.2S"})
    void movesByItsJitter(double random, Duration delay) {
        assertThat(Backoff.delay(BackoffSpec.DEFAULTS, 1, random)).isEqualTo(delay);
    }

    @Test
    void neitherOverflowsNorGoesBelowZero() {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
        var wild = new BackoffSpec(longest, 1e300, longest, 1);
        assertThat(Backoff.delay(wild, Integer.MAX_VALUE, 1)).isGreaterThan(Duration.ofDays(1_000_000));
        assertThat(Backoff.delay(wild, 1, 0)).isEqualTo(Duration.ZERO);
        var still = new BackoffSpec(Duration.ZERO, 1e300, longest, 1);
        assertThat(Backoff.delay(still, Integer.MAX_VALUE, 1)).isEqualTo(Duration.ZERO);
    }

    /** Delays in milliseconds; with the manifest's own 100 ms or the default of the kind. */
    @ParameterizedTest(name = "{0} states {1} ms, try {2}, {3} backoff: {4} ms")
    @CsvSource({
        "RATE_LIMIT, 6, 1, default, 60000",
        "RATE_LIMIT, 6, 2, default, 120000",
        "RATE_LIMIT, 60000, 1, default, 60000",
        "RATE_LIMIT, 60001, 1, default, 60001",
        "RATE_LIMIT, 2000, 7, quick, 2000",
        "RATE_LIMIT, 0, 1, quick, 100",
        "RATE_LIMIT, -5, 3, quick, 400",
        "RATE_LIMIT, 101, 1, quick, 101",
        "RATE_LIMIT, 7200000, 1, quick, 7200000",
        "NETWORK, 6, 1, default, 3000",
        "SERVER, 45000, 1, default, 45000",
        "USAGE_WINDOW, 6, 1, default, 1000",
        "USAGE_WINDOW, 6, 4, default, 8000",
        "USAGE_WINDOW, 20000, 1, default, 20000",
    })
    void aStatedDelayIsNeverBelowThatOfTheLadder(ErrorKind kind, long stated, int tries, String spec, long expected) {
        BackoffSpec kept = spec.equals("quick") ? QUICK : BackoffSpec.DEFAULTS;
        BackoffSpec still = new BackoffSpec(kept.initial(), kept.factor(), kept.max(), 0);

        assertThat(delay(still, error(kind, OptionalLong.of(stated)), tries, 0.9))
                .isEqualTo(Duration.ofMillis(expected));
    }

    @Test
    void theResetThatTheAgentStatesIsALowerBoundToo() {
        ErrorContext window = error(ErrorKind.USAGE_WINDOW, OptionalLong.empty());

        assertThat(Backoff.delay(QUICK, window, Optional.of(Duration.ofMillis(6)), 2, 0.5))
                .isEqualTo(Duration.ofMillis(200));
        assertThat(Backoff.delay(QUICK, window, Optional.of(Duration.ofHours(3)), 2, 0.5))
                .isEqualTo(Duration.ofHours(3));
    }

    @Test
    void spreadsRunsThatWaitForTheSameReset() {
        ErrorContext window = error(ErrorKind.USAGE_WINDOW, OptionalLong.of(60_000));
        assertThat(delay(BackoffSpec.DEFAULTS, window, 1, 0)).isEqualTo(Duration.ofMinutes(1));
        assertThat(delay(BackoffSpec.DEFAULTS, window, 1, 1)).isEqualTo(Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @CsvSource({
        "RATE_LIMIT, PT60S, PT120S",
        "SERVER, PT30S, PT60S",
        "OVERLOADED, PT30S, PT60S",
        "NETWORK, PT3S, PT6S",
        "STREAM_CUT, PT15S, PT30S",
        "UNCLASSIFIED, PT1S, PT2S"
    })
    void startsFromTheDefaultOfTheKind(ErrorKind kind, Duration first, Duration second) {
        ErrorContext error = error(kind, OptionalLong.empty());
        assertThat(delay(BackoffSpec.DEFAULTS, error, 1, 0.5)).isEqualTo(first);
        assertThat(delay(BackoffSpec.DEFAULTS, error, 2, 0.5)).isEqualTo(second);
    }

    @Test
    void followsTheManifestWhereItSetsTheInitialDelay() {
        ErrorContext error = error(ErrorKind.RATE_LIMIT, OptionalLong.empty());
        assertThat(delay(QUICK, error, 1, 0.5)).isEqualTo(Duration.ofMillis(100));
    }

    private static Duration delay(BackoffSpec spec, ErrorContext error, int tryNumber, double random) {
        return Backoff.delay(spec, error, Optional.empty(), tryNumber, random);
    }

    private static ErrorContext error(ErrorKind kind, OptionalLong retryAfterMs) {
        return new ErrorContext("", kind.category(), kind.wire(), Optional.empty(), kind.isTransient(), retryAfterMs);
    }
}
