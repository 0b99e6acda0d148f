package dev.loopkeeper.policy;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

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
        double share = Math.max(
                cap.costUsd().isPresent()
                        ? costUsd.doubleValue() / cap.costUsd().getAsDouble()
                        : 0,
                cap.tokens().isPresent() ? (double) tokens / cap.tokens().getAsLong() : 0);
        return share >= 1 ? Level.REACHED : share >= cap.warnAt() ? Level.WARNED : Level.BELOW;
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
