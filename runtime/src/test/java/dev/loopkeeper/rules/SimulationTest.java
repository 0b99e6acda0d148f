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
 * Random schedules against what must always hold. Another count: {@code -Dloopkeeper.schedules=1000000}; the same
 * schedules again: {@code -Dloopkeeper.seed=N}, where N is the seed that a failure names, with a count of 1.
 */
class SimulationTest {
    private static final int PLANS = 400;
    private static final int REFOLDED = 50;
    private static final Set<RunStatus> RESTS =
            EnumSet.of(RunStatus.PAUSED, RunStatus.COMPLETED, RunStatus.STOPPED, RunStatus.FAILED);

    @Test
    void nothingBreaksInRandomSchedules() {
        long first = Long.getLong("loopkeeper.seed", 20_261_120L);
        int count = Integer.getInteger("loopkeeper.schedules", 17_000);
        List<RandomPlans.Plan> plans = RandomPlans.many(PLANS, 7);
        Map<RunStatus, Long> rests = LongStream.range(first, first + count)
                .parallel()
                .mapToObj(seed -> run(plans, seed).status())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertThat(rests.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(count);
        assertThat(RESTS).as("schedules came to rest in %s", rests).containsAll(rests.keySet());
    }

    private static RunState run(List<RandomPlans.Plan> plans, long seed) {
        RandomPlans.Plan plan = plans.get(Math.floorMod(seed, PLANS));
        try {
            return new Schedule(plan, seed, seed % REFOLDED == 0).run(10 + Math.floorMod(seed / PLANS, 30));
        } catch (RuntimeException | AssertionError broken) {
            throw new AssertionError(
                    "-Dloopkeeper.seed=" + seed + " of " + plan.document() + ": " + broken.getMessage(), broken);
        }
    }
}
