package dev.loopkeeper.policy;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the runs that a cap limits have used in a window.
 *
 * @param costUsd reported and estimated costs together
 * @param estimatedUsd the part that is an estimate
 * @param tokens input and output together
 * @param unknownSteps steps that ended with an unreported cost
 */
public record CapUse(
        Cap cap, Window.Span window, BigDecimal costUsd, BigDecimal estimatedUsd, long tokens, long unknownSteps) {
    /** How much of a cap is used. */
    public enum Level {
        BELOW,
        WARNED,
        REACHED
    }

    /** Returns the level; the part of the cap that is used most decides. */
    public Level level() {
        double share = share(cap.costUsd(), costUsd, cap.tokens(), tokens);
        return share >= 1 ? Level.REACHED : share >= cap.warnAt() ? Level.WARNED : Level.BELOW;
    }

    /** Returns the used part of the limits, e.g. {@code 0.8}; of cost and tokens the one that is used more. */
    public static double share(OptionalDouble costLimit, BigDecimal costUsd, OptionalLong tokenLimit, long tokens) {
        return Math.max(
                costLimit.isPresent() ? costUsd.doubleValue() / costLimit.getAsDouble() : 0,
                tokenLimit.isPresent() ? (double) tokens / tokenLimit.getAsLong() : 0);
    }

    /**
     * Returns the reached cap for which a run waits, of several the one whose window ends last; empty when each cap that
     * limits the run is below its limit.
     */
    public static Optional<CapUse> awaited(List<CapUse> uses, String runName, String workspace) {
        return uses.stream()
                .filter(use -> use.cap.match().fits(runName, workspace))
                .filter(use -> use.level() == Level.REACHED)
                .max(Comparator.comparing(use -> use.window.end()));
    }
}
