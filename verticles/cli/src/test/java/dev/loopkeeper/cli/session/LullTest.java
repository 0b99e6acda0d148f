package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LullTest {
    /** Milliseconds of the processor that each stretch of five seconds took, and the looks at which a lull began. */
    static Stream<Arguments> stretches() {
        return Stream.of(
                Arguments.of(List.of(600, 0, 0, 0), List.of(0)),
                Arguments.of(List.of(600, 600, 600, 249), List.of(0, 3)),
                Arguments.of(List.of(600, 250, 249, 249), List.of(0, 2)),
                Arguments.of(List.of(600, 100, 240, 100), List.of(0)),
                Arguments.of(List.of(0, 0, 5000, 0, 0, 3000, 3000, 10), List.of(0, 3, 7)));
    }

    @ParameterizedTest
    @MethodSource("stretches")
    void beginsBehindTheStartAndOnceAfterMuchWork(List<Integer> stretches, List<Integer> lulls) {
        Lull lull = new Lull(Duration.ofSeconds(5));
        Duration taken = Duration.ZERO;
        for (int look = 0; look < stretches.size(); look++) {
            taken = taken.plusMillis(stretches.get(look));
            assertThat(lull.begins(taken)).as("look %d", look).isEqualTo(lulls.contains(look));
        }
    }
}
