package dev.loopkeeper.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimitTest {
    private static final long SECOND = 1_000_000_000;

    private static int taken(RateLimit limit, String address, long nowNanos) {
        int count = 0;
        while (count < 1000 && limit.take(address, nowNanos).isEmpty()) {
            count++;
        }
        return count;
    }

    @Test
    void fourSecondsWorthMayComeAtOnceAndThenTheRateHolds() {
        RateLimit limit = new RateLimit(10);
        assertThat(taken(limit, "a", 0)).isEqualTo(40);
        assertThat(limit.take("a", 0)).hasValue(1);
        assertThat(taken(limit, "a", SECOND)).isEqualTo(10);
        assertThat(taken(limit, "a", 1000 * SECOND)).isEqualTo(40);
    }

    @Test
    void oneAddressDoesNotUseUpTheShareOfAnother() {
        RateLimit limit = new RateLimit(1);
        assertThat(taken(limit, "a", 0)).isEqualTo(4);
        assertThat(taken(limit, "b", 0)).isEqualTo(4);
    }

    @Test
    void zeroMeansNoLimit() {
        assertThat(taken(new RateLimit(0), "a", 0)).isEqualTo(1000);
    }

    @Test
    void manyAddressesAtOnceTakeNoMoreMemoryAndNoMoreTime() {
        RateLimit limit = new RateLimit(1);
        for (int address = 0; address < 100_000; address++) {
            assertThat(limit.take("2001:db8::" + address, 0)).isEmpty();
        }
        assertThat(taken(limit, "2001:db8::99999", 0)).as("the newest is known").isEqualTo(3);
        assertThat(taken(limit, "2001:db8::89998", 0))
                .as("an older one is removed")
                .isEqualTo(4);
    }
}
