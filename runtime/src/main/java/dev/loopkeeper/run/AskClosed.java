package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.run.step.Ask;
import dev.loopkeeper.run.step.AskOutcome;
import dev.loopkeeper.step.OneLine;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code ask.closed}: an ask was answered, or can no longer be answered.
 *
 * @param by who answered
 */
@JsonTypeName("ask.closed")
public record AskClosed(
        String askId,
        String stepId,
        AskOutcome outcome,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> answer,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> by)
        implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        Ask.Closed end = new Ask.Closed(outcome, at, answer, by);
        var asks = state.asks().stream()
                .map(ask -> ask.askId().equals(askId) ? ask.closed(end) : ask)
                .toList();
        long surplus = asks.stream().filter(ask -> !ask.isOpen()).count() - Ask.MOST_CLOSED;
        Optional<Ask> oldest =
                asks.stream().filter(ask -> surplus > 0 && !ask.isOpen()).findFirst();
        return state.withAsks(
                asks.stream().filter(ask -> !oldest.equals(Optional.of(ask))).toList());
    }

    @Override
    public String text() {
        return askId + " of step " + stepId
                + switch (outcome) {
                    case ANSWERED ->
                        " answered by " + by.orElse("") + ": " + OneLine.of(answer.orElse(""), AskOpened.LONGEST);
                    case TIMEOUT -> " closed: no answer in time";
                    case STEP_ENDED -> " closed: its step ended";
                };
    }
}
