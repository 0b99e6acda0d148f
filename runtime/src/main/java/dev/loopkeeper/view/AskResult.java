package dev.loopkeeper.view;

import dev.loopkeeper.run.step.Ask;
import dev.loopkeeper.run.step.AskOutcome;
import java.util.Optional;

/**
 * What came of an ask, for the step that asks.
 *
 * @param outcome how it was closed; absent while it is open
 * @param by who answered
 */
public record AskResult(
        String askId, String stepId, Optional<AskOutcome> outcome, Optional<String> answer, Optional<String> by) {
    /** The present result of this ask. */
    public static AskResult of(Ask ask) {
        return new AskResult(
                ask.askId(),
                ask.stepId(),
                ask.closed().map(Ask.Closed::outcome),
                ask.closed().flatMap(Ask.Closed::answer),
                ask.closed().flatMap(Ask.Closed::by));
    }
}
