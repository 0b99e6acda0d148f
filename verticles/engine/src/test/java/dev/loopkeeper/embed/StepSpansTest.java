package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.loopkeeper.work.StepSpans;
import dev.loopkeeper.work.StepSpans.Point;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("reads the log of the process, or changes what it has once")
class StepSpansTest {
    private static final Map<String, Point> POINTS =
            Stream.of(Point.values()).collect(Collectors.toMap(Point::word, point -> point));
    private static final int ITERATIONS = Integer.getInteger("loopkeeper.spans.iterations", 3);

    @TempDir
    private Path folder;

    private final Logger logger = (Logger) LoggerFactory.getLogger(StepSpans.LOGGER);
    private final Map<String, Map<Point, Long>> steps = new ConcurrentHashMap<>();

    private final AppenderBase<ILoggingEvent> listener = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            Object[] said = event.getArgumentArray();
            steps.computeIfAbsent(said[0] + "/" + said[1], step -> new ConcurrentSkipListMap<>())
                    .put(POINTS.get(said[2]), (long) said[3]);
        }
    };

    @BeforeEach
    void listen() {
        listener.start();
        logger.setAdditive(false);
        logger.setLevel(Level.TRACE);
        logger.addAppender(listener);
    }

    @AfterEach
    void ignore() {
        logger.detachAppender(listener);
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    /** With {@code -Dloopkeeper.spans.iterations=300} the table that it prints tells where the time of a step goes. */
    @Test
    void everyPointOfAStepIsToldInItsOrder() throws Exception {
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"))) {
            String agent = "'printf \"{\\\"determination\\\":\\\"PROGRESS\\\"}\" > \"$LOOPKEEPER_SIGNAL_FILE\"'";
            keeper.untilEnded(keeper.start("""
                    name: spans
                    agents:
                      dev: {command: %s, signal: .loopkeeper/dev.json}
                      judge: {command: %s, signal: .loopkeeper/judge.json}
                    retry: {stopConditions: {circuitBreaker: 0}}
                    phases: [{name: build, loop: {steps: [dev, judge], maxIterations: %d, noProgress: 0, until: iterations}}]
                    """.formatted(agent, agent, ITERATIONS)));
        }

        assertThat(steps).hasSize(2 * ITERATIONS);
        // The first step is decided on with the run itself.
        steps.values().removeIf(step -> !step.containsKey(Point.DECIDED));
        assertThat(steps).hasSizeGreaterThanOrEqualTo(2 * ITERATIONS - 1);
        assertThat(steps.values()).allSatisfy(step -> {
            assertThat(step).containsOnlyKeys(Point.values());
            assertThat(inOrder(step, Point.DECIDED, Point.DURABLE, Point.PREPARED, Point.ASKED, Point.BEGUN))
                    .isTrue();
            assertThat(inOrder(step, Point.AGENT_GONE, Point.SWEPT, Point.LEFTOVERS_READ, Point.EXIT_TOLD))
                    .isTrue();
            for (Point read : List.of(Point.SIGNAL_READ, Point.OUTPUT_READ, Point.DIGESTED)) {
                assertThat(inOrder(step, Point.EXIT_TOLD, read, Point.END_DECIDED, Point.END_DURABLE))
                        .isTrue();
            }
        });
        print();
    }

    private static boolean inOrder(Map<Point, Long> step, Point... points) {
        List<Long> times = Stream.of(points).map(step::get).toList();
        return times.stream().sorted(Comparator.naturalOrder()).toList().equals(times);
    }

    /** Medians of the warm half, since the step was decided. */
    private void print() {
        List<Map<Point, Long>> warm = steps.values().stream()
                .sorted(Comparator.comparing(step -> step.get(Point.DECIDED)))
                .skip(steps.size() / 2)
                .toList();
        for (Point point : Point.values()) {
            List<Long> micros = warm.stream()
                    .map(step -> (step.get(point) - step.get(Point.DECIDED)) / 1000)
                    .sorted()
                    .toList();
            System.out.printf(Locale.ROOT, "%-15s %6d us%n", point.word(), micros.get(micros.size() / 2));
        }
    }
}
