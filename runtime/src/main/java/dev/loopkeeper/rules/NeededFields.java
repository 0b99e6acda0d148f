package dev.loopkeeper.rules;

import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.termination.ResumeField;
import dev.loopkeeper.termination.Termination;
import java.util.List;

/** The fields of a form that meet requirements of a resume. */
final class NeededFields {
    private NeededFields() {}

    static ResumeField threshold(StopReason reason) {
        return switch (reason.condition()) {
            case CIRCUIT_BREAKER -> count("circuitBreaker", reason);
            case CONSECUTIVE_FAILS -> count("maxConsecutiveFails", reason);
            case REJECT_RATE -> rate("maxRejectRate", reason);
            case RETRY_RATE -> rate("maxRetryRate", reason);
        };
    }

    /** A count applies when it reaches the threshold. */
    private static ResumeField count(String name, StopReason reason) {
        return ResumeField.of("stopConditions." + name, ResumeField.Type.INTEGER, reason.message() + "; 0 turns it off")
                .atLeast((long) reason.value() + 1)
                .now((long) reason.threshold());
    }

    /** A rate applies strictly above the threshold; two digits suffice for a person. */
    private static ResumeField rate(String name, StopReason reason) {
        return ResumeField.of("stopConditions." + name, ResumeField.Type.NUMBER, reason.message() + "; 0 turns it off")
                .atLeast(Math.min(1, Math.ceil(reason.value() * 100) / 100))
                .now(reason.threshold());
    }

    static ResumeField maxIterations(LoopWork loop) {
        ResumeField field = ResumeField.of(
                        "maxIterations",
                        ResumeField.Type.INTEGER,
                        "a number above the " + loop.done() + " iterations done, or 0 for no limit")
                .atLeast(loop.done() + 1);
        return loop.allowance() > 0 ? field.now(loop.allowance()) : field;
    }

    static ResumeField maxAttempts(EachWork each, int least) {
        return ResumeField.of("maxAttempts", ResumeField.Type.INTEGER, "how many attempts each item may use")
                .atLeast(least)
                .now(each.maxAttempts());
    }

    static ResumeField resetItems(List<String> items) {
        return ResumeField.of("resetItems", ResumeField.Type.LIST, "items that start again with their first attempt")
                .withChoices(items);
    }

    static ResumeField resetStatistics() {
        return ResumeField.of(
                "resetStatistics", ResumeField.Type.BOOLEAN, "count failures, attempts and rates again from 0");
    }

    static ResumeField feedback(String text) {
        return ResumeField.of("feedback", ResumeField.Type.TEXT, text);
    }

    static ResumeField manifest() {
        return ResumeField.of("manifest", ResumeField.Type.TEXT, "a changed manifest");
    }

    static ResumeField acknowledge(Termination termination) {
        return ResumeField.of(
                "acknowledge", ResumeField.Type.BOOLEAN, "confirm that the cause is fixed: " + termination.summary());
    }

    static ResumeField force(String text) {
        return ResumeField.of("force", ResumeField.Type.BOOLEAN, text);
    }
}
