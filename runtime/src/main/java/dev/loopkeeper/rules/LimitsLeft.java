package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.step.LaunchLimits;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Computes what a launch may use of the run's limits. */
final class LimitsLeft {
    private LimitsLeft() {}

    static LaunchLimits of(RunState state, OpenStep step, Optional<Duration> timeout) {
        Budget budget = state.limits().budget();
        Spending spent = state.spending();
        Instant begun = step.startedAt();
        Optional<Long> time = budget.time()
                .map(cap -> Math.max(0, cap.toMillis() - state.active().until(begun)));
        Optional<Instant> deadline = Stream.concat(
                        time.map(begun::plusMillis).stream(), timeout.map(begun::plus).stream())
                .min(Comparator.naturalOrder());
        return new LaunchLimits(
                state.cursor().work() instanceof LoopWork loop && loop.allowance() > 0
                        ? OptionalInt.of(Math.max(0, loop.allowance() - loop.done()))
                        : OptionalInt.empty(),
                attempts(state, step),
                budget.costUsd().isPresent()
                        ? OptionalDouble.of(Math.max(
                                0,
                                BigDecimal.valueOf(budget.costUsd().getAsDouble())
                                        .subtract(spent.costUsd())
                                        .doubleValue()))
                        : OptionalDouble.empty(),
                left(budget.tokens(), spent.tokens()),
                left(budget.turns(), spent.turns()),
                time.map(OptionalLong::of).orElseGet(OptionalLong::empty),
                deadline);
    }

    private static OptionalInt attempts(RunState state, OpenStep step) {
        return step.position().item().isPresent() && state.cursor().work() instanceof EachWork each
                ? OptionalInt.of(Math.max(0, each.maxAttempts() - step.attempt() + 1))
                : OptionalInt.empty();
    }

    private static OptionalLong left(OptionalLong cap, OptionalLong used) {
        return cap.isPresent() ? OptionalLong.of(Math.max(0, cap.getAsLong() - used.orElse(0))) : cap;
    }
}
