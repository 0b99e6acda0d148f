package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.Usage;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Some agents tell totals of their whole session: of a continued one, only what is new counts. */
final class SessionTotals {
    private SessionTotals() {}

    /** Those parts of what was told that count the whole session; others count the launch. */
    static Usage of(OutputDialect dialect, Usage told) {
        return switch (dialect) {
            case CLAUDE_CODE ->
                new Usage(told.costUsd(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
            case CODEX ->
                new Usage(OptionalDouble.empty(), told.inputTokens(), told.outputTokens(), OptionalLong.empty());
            case TEXT, OPENCODE, GEMINI -> Usage.UNKNOWN;
        };
    }

    /** The newer totals; a part that was not told stays as it was. */
    static Usage newest(Usage before, Usage told) {
        return new Usage(
                told.costUsd().isPresent() ? told.costUsd() : before.costUsd(),
                told.inputTokens().isPresent() ? told.inputTokens() : before.inputTokens(),
                told.outputTokens().isPresent() ? told.outputTokens() : before.outputTokens(),
                told.turns().isPresent() ? told.turns() : before.turns());
    }

    /** What came to these totals since. A total below the one before counts something else, and stays as it is. */
    static Usage since(Usage before, Usage told) {
        return new Usage(
                since(before.costUsd(), told.costUsd()),
                since(before.inputTokens(), told.inputTokens()),
                since(before.outputTokens(), told.outputTokens()),
                since(before.turns(), told.turns()));
    }

    private static OptionalDouble since(OptionalDouble before, OptionalDouble told) {
        boolean more = before.isPresent() && told.isPresent() && told.getAsDouble() >= before.getAsDouble();
        return more ? OptionalDouble.of(told.getAsDouble() - before.getAsDouble()) : told;
    }

    private static OptionalLong since(OptionalLong before, OptionalLong told) {
        boolean more = before.isPresent() && told.isPresent() && told.getAsLong() >= before.getAsLong();
        return more ? OptionalLong.of(told.getAsLong() - before.getAsLong()) : told;
    }
}
