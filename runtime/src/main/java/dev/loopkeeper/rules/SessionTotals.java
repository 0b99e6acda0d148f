package dev.loopkeeper.rules;

import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.Usage;
import java.math.BigDecimal;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Computes a launch's usage from session totals: of a continued session, only the increase counts. Codex reports totals
 * of tokens. Claude Code may report totals of cost; version 2.1.197 reports the cost of the launch.
 */
final class SessionTotals {
    private SessionTotals() {}

    /** The newer totals. A part that was not reported, or as 0 by a launch that failed early, stays as it was. */
    static Usage newest(Usage before, Usage reported) {
        boolean newer = reported.costUsd().orElse(0) > 0 || before.costUsd().isEmpty();
        return new Usage(
                        OptionalDouble.empty(),
                        newest(before.inputTokens(), reported.inputTokens()),
                        newest(before.outputTokens(), reported.outputTokens()),
                        newest(before.turns(), reported.turns()))
                .costing(newer ? reported : before);
    }

    private static OptionalLong newest(OptionalLong before, OptionalLong reported) {
        return reported.orElse(0) > 0 || before.isEmpty() ? reported : before;
    }

    /**
     * The usage of a launch in a continued session.
     *
     * @param totals reported by this launch; unknown while it runs
     * @param reported usage reported by this launch
     */
    static Usage counted(EarlierSession session, Usage totals, Usage reported) {
        Usage before = session.reported();
        return switch (session.output()) {
            case CODEX ->
                new Usage(
                                OptionalDouble.empty(),
                                since(before.inputTokens(), reported.inputTokens()),
                                since(before.outputTokens(), reported.outputTokens()),
                                reported.turns())
                        .estimatedAt(estimate(before, reported));
            case CLAUDE_CODE ->
                new Usage(
                        hold(before, totals, reported)
                                ? since(before.costUsd(), reported.costUsd())
                                : reported.costUsd(),
                        reported.inputTokens(),
                        reported.outputTokens(),
                        reported.turns());
            default -> reported;
        };
    }

    /** Unknown where the earlier launches have no estimate, or one by a higher price: no token is priced twice. */
    private static OptionalDouble estimate(Usage before, Usage reported) {
        boolean unlike = before.costUsd().orElse(-1) < 0
                || before.costUsd().getAsDouble() > reported.costUsd().orElse(0);
        return tokens(before) > 0 && unlike ? OptionalDouble.empty() : since(before.costUsd(), reported.costUsd());
    }

    /** Whether the totals include the earlier launches: then they exceed this launch's tokens by those. */
    private static boolean hold(Usage before, Usage totals, Usage reported) {
        return tokens(totals) == 0 || tokens(before) == 0 || tokens(totals) - tokens(before) >= tokens(reported);
    }

    private static long tokens(Usage usage) {
        return usage.tokens().orElse(0);
    }

    /** A total below the previous one counts something else and stays unchanged. */
    private static OptionalDouble since(OptionalDouble before, OptionalDouble reported) {
        boolean more = before.isPresent() && reported.isPresent() && reported.getAsDouble() >= before.getAsDouble();
        return more ? OptionalDouble.of(difference(reported.getAsDouble(), before.getAsDouble())) : reported;
    }

    /** Decimal arithmetic: 0.3 - 0.1 is 0.2. */
    private static double difference(double total, double before) {
        return BigDecimal.valueOf(total).subtract(BigDecimal.valueOf(before)).doubleValue();
    }

    private static OptionalLong since(OptionalLong before, OptionalLong reported) {
        boolean more = before.isPresent() && reported.isPresent() && reported.getAsLong() >= before.getAsLong();
        return more ? OptionalLong.of(reported.getAsLong() - before.getAsLong()) : reported;
    }
}
