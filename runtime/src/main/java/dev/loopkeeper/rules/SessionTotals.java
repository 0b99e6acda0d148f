package dev.loopkeeper.rules;

import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.Usage;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Some agents tell totals of their whole session: of a continued one, only what is new counts. Codex does so of its tokens.
 * Claude Code may do so of its cost; version 2.1.197 tells the cost of the launch.
 */
final class SessionTotals {
    private SessionTotals() {}

    /** The newer totals. A part that was not reported, or as 0 by a launch that failed early, stays as it was. */
    static Usage newest(Usage before, Usage reported) {
        OptionalDouble cost = reported.costUsd();
        return new Usage(
                cost.orElse(0) > 0 || before.costUsd().isEmpty() ? cost : before.costUsd(),
                newest(before.inputTokens(), reported.inputTokens()),
                newest(before.outputTokens(), reported.outputTokens()),
                newest(before.turns(), reported.turns()));
    }

    private static OptionalLong newest(OptionalLong before, OptionalLong reported) {
        return reported.orElse(0) > 0 || before.isEmpty() ? reported : before;
    }

    /**
     * What a launch in a continued session used.
     *
     * @param totals told by this launch; unknown while it runs
     * @param told what this launch told that it used
     */
    static Usage counted(EarlierSession session, Usage totals, Usage told) {
        Usage before = session.told();
        return switch (session.output()) {
            case CODEX ->
                new Usage(
                        told.costUsd(),
                        since(before.inputTokens(), told.inputTokens()),
                        since(before.outputTokens(), told.outputTokens()),
                        told.turns());
            case CLAUDE_CODE ->
                new Usage(
                        hold(before, totals, told) ? since(before.costUsd(), told.costUsd()) : told.costUsd(),
                        told.inputTokens(),
                        told.outputTokens(),
                        told.turns());
            default -> told;
        };
    }

    /** Whether the totals hold the earlier launches too: then they have the tokens of those beside this launch's. */
    private static boolean hold(Usage before, Usage totals, Usage told) {
        return tokens(totals) == 0 || tokens(before) == 0 || tokens(totals) >= tokens(before) + tokens(told);
    }

    private static long tokens(Usage usage) {
        return usage.inputTokens().orElse(0) + usage.outputTokens().orElse(0);
    }

    /** A total below the one before counts something else, and stays as it is. */
    private static OptionalDouble since(OptionalDouble before, OptionalDouble told) {
        boolean more = before.isPresent() && told.isPresent() && told.getAsDouble() >= before.getAsDouble();
        return more ? OptionalDouble.of(told.getAsDouble() - before.getAsDouble()) : told;
    }

    private static OptionalLong since(OptionalLong before, OptionalLong told) {
        boolean more = before.isPresent() && told.isPresent() && told.getAsLong() >= before.getAsLong();
        return more ? OptionalLong.of(told.getAsLong() - before.getAsLong()) : told;
    }
}
