package dev.loopkeeper.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Random schedules against what must always hold; others each night. Another count: {@code
 * -Dloopkeeper.schedules=1000000}; the same schedules again: {@code -Dloopkeeper.seed=N}, where N is the seed that is
 * printed, or, with a count of 1, the seed that a failure names.
 */
class SimulationTest {
    private static final int SCHEDULES_OF_A_PLAN = 100;
    private static final int REFOLDED = 50;
    private static final Set<RunStatus> RESTS =
            EnumSet.of(RunStatus.PAUSED, RunStatus.COMPLETED, RunStatus.STOPPED, RunStatus.FAILED);

    @Test
    void nothingBreaksInRandomSchedules() {
        long first = Long.getLong("loopkeeper.seed", 20_261_126L);
        int count = Integer.getInteger("loopkeeper.schedules", 3_000);
        System.out.println("SimulationTest: " + count + " schedules from -Dloopkeeper.seed=" + first);
        long last = first + count - 1;
        Map<RunStatus, Long> rests = LongStream.rangeClosed(planOf(first), planOf(last))
                .parallel()
                .mapToObj(plan -> runAll(plan, first, last))
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertThat(rests.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(count);
        assertThat(RESTS).as("schedules came to rest in %s", rests).containsAll(rests.keySet());
    }

    private static long planOf(long seed) {
        return Math.floorDiv(seed, SCHEDULES_OF_A_PLAN);
    }

    private static List<RunStatus> runAll(long number, long first, long last) {
        RandomPlans.Plan plan = new RandomPlans(number).next();
        long begin = number * SCHEDULES_OF_A_PLAN;
        return LongStream.range(Math.max(first, begin), Math.min(last + 1, begin + SCHEDULES_OF_A_PLAN))
                .mapToObj(seed -> run(plan, seed).status())
                .toList();
    }

    private static RunState run(RandomPlans.Plan plan, long seed) {
        Schedule schedule = new Schedule(plan, seed, seed % REFOLDED == 0);
        try {
            return schedule.run();
        } catch (RuntimeException | AssertionError broken) {
            throw new AssertionError(
                    "-Dloopkeeper.schedules=1 -Dloopkeeper.seed=" + seed + ": " + broken.getMessage() + "\n"
                            + plan.document() + "\n" + schedule.story(),
                    broken);
        }
    }
}
