package dev.loopkeeper.run;

import dev.loopkeeper.step.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the steps of a run reported at one time, beyond what they had reported before. All reports of a step add up to
 * its usage. Costs are billionths of a dollar, the precision of {@link dev.loopkeeper.statistics.Spending}; a later
 * report may replace an estimate by a lower cost.
 *
 * @param estimatedNanoUsd the part of the cost that is an estimate
 * @param unknownSteps steps that ended with an unreported cost
 */
public record ReportedUsage(Instant at, long costNanoUsd, long estimatedNanoUsd, long tokens, int unknownSteps) {
    /** Digits of a dollar after the point. */
    public static final int SCALE = 9;

    /** A step counts for a million dollars and as many billion tokens at most, which keeps each sum exact. */
    private static final long MOST = 1_000_000_000_000_000L;

    /** The reports of a run from one state on, in their order. */
    public static final class Reader {
        private final Map<String, Usage> known = new HashMap<>();

        /** @param before the run before the first event; absent for a new run */
        public Reader(Optional<RunState> before) {
            before.ifPresent(state -> state.steps().forEach((id, step) -> known.put(id, step.usage())));
        }

        /** Returns what these events report; empty if nothing. */
        public Optional<ReportedUsage> read(List<RunEvent> events, Instant at) {
            ReportedUsage sum = new ReportedUsage(at, 0, 0, 0, 0);
            for (RunEvent event : events) {
                if (event instanceof StepUsage reported) {
                    sum = sum.plus(growth(reported.stepId(), reported.usage(), at, 0));
                } else if (event instanceof StepFinished ended) {
                    Usage usage = ended.result().usage().orElse(Usage.UNKNOWN);
                    sum = sum.plus(growth(ended.stepId(), usage, at, ended.costUnknown() ? 1 : 0));
                }
            }
            return Optional.of(sum).filter(read -> !read.equals(new ReportedUsage(at, 0, 0, 0, 0)));
        }

        private ReportedUsage growth(String stepId, Usage usage, Instant at, int unknown) {
            Usage before = Optional.ofNullable(known.put(stepId, usage)).orElse(Usage.UNKNOWN);
            return new ReportedUsage(
                    at,
                    nanos(usage.costUsd()) - nanos(before.costUsd()),
                    estimate(usage) - estimate(before),
                    tokens(usage) - tokens(before),
                    unknown);
        }
    }

    private ReportedUsage plus(ReportedUsage other) {
        return new ReportedUsage(
                at,
                costNanoUsd + other.costNanoUsd,
                estimatedNanoUsd + other.estimatedNanoUsd,
                tokens + other.tokens,
                unknownSteps + other.unknownSteps);
    }

    private static long estimate(Usage usage) {
        return usage.estimated() ? nanos(usage.costUsd()) : 0;
    }

    private static long tokens(Usage usage) {
        return Math.min(usage.tokens().orElse(0), MOST);
    }

    private static long nanos(OptionalDouble costUsd) {
        return BigDecimal.valueOf(costUsd.orElse(0))
                .movePointRight(SCALE)
                .min(BigDecimal.valueOf(MOST))
                .setScale(0, RoundingMode.HALF_EVEN)
                .longValue();
    }
}
