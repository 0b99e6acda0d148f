package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.run.step.Ask;
import dev.loopkeeper.step.OneLine;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code ask.opened}: a step asks a person.
 *
 * @param key of the command that asks
 * @param until when it is closed without an answer
 * @param by the agent, as {@link Requester} says
 */
@JsonTypeName("ask.opened")
public record AskOpened(
        String askId, String stepId, String question, List<String> choices, Instant until, String key, String by)
        implements RunEvent {
    /** Most characters of a question or an answer in {@link #text}. */
    static final int LONGEST = 1000;

    @Override
    public RunState apply(RunState state, Instant at) {
        Ask ask = new Ask(askId, stepId, key, question, choices, at, until, Optional.empty());
        return state.withAsks(Copies.plus(state.asks(), ask));
    }

    @Override
    public String text() {
        return "step " + stepId + " asks (" + askId + "): "
                + OneLine.of(question + (choices.isEmpty() ? "" : " (" + String.join(" / ", choices) + ")"), LONGEST);
    }
}
