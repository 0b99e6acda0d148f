package dev.loopkeeper.contract;

import dev.loopkeeper.contract.RunChannels.RunAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Event-bus channels of questions that running steps ask a person, {@code loopkeeper.asks.<command>}. The handlers are
 * in {@code scheduler}.
 */
public final class AskChannels {
    public static final RequestChannel<AskPerson, RunAnswer> ASK = of("ask", AskPerson.class, RunAnswer.class);

    /**
     * Command: record a question of a running step. Answered by {@link dev.loopkeeper.view.AskResult} once that is
     * durable.
     *
     * @param key of the command that asks; a repeated key is answered with the same ask
     * @param patience how long it waits for an answer
     */
    public record AskPerson(
            String runId, String stepId, String key, String question, List<String> choices, Duration patience) {}

    public static final RequestChannel<AnswerAsk, RunAnswer> ANSWER = of("answer", AnswerAsk.class, RunAnswer.class);

    /**
     * Command: answer an ask. Answered by the run once that is durable; refused with {@code already-answered} or
     * {@code ask-closed} if the ask is closed.
     *
     * @param by who answers
     */
    public record AnswerAsk(String runId, String askId, String answer, String by) {}

    /** Returns the {@link dev.loopkeeper.view.AskResult} of an ask of this step. */
    public static final RequestChannel<GetAsk, RunAnswer> GET = of("get", GetAsk.class, RunAnswer.class);

    /** Request: an ask of a step. */
    public record GetAsk(String runId, String stepId, String askId) {}

    /** Returns from memory when a step last waited for an answer. */
    public static final RequestChannel<LastAsked, LastAsked> LAST = of("last", LastAsked.class, LastAsked.class);

    /**
     * Request and answer: when a step last waited for an answer of a person.
     *
     * @param at now while an ask is open, the epoch where none was; ignored in the request
     */
    public record LastAsked(String runId, String stepId, Instant at) {}

    private AskChannels() {}

    private static <Q, A> RequestChannel<Q, A> of(String name, Class<Q> question, Class<A> answer) {
        return new RequestChannel<>("loopkeeper.asks." + name, question, answer);
    }
}
