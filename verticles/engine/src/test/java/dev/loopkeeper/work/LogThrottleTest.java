package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LogThrottleTest {
    private final LogThrottle throttle = new LogThrottle();
    /** Near its limit, as a clock of Java may be. */
    private long now = Long.MAX_VALUE - Duration.ofSeconds(150).toNanos();

    @Test
    void logsEachAtOnceAndThenOnceAMinute() {
        Map<String, Integer> reported = new TreeMap<>();
        for (int second = 0; second < 300; second++) {
            for (String run : second < 30 ? new String[] {"one"} : new String[] {"one", "two"}) {
                if (throttle.isDue(run, now)) {
                    reported.merge(run, 1, Integer::sum);
                }
            }
            now += Duration.ofSeconds(1).toNanos();
        }
        assertThat(reported).isEqualTo(Map.of("one", 5, "two", 5));
    }
}
