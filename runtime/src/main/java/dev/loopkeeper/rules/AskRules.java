package dev.loopkeeper.rules;

import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.AskClosed;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.Ask;
import dev.loopkeeper.run.step.AskOutcome;
import dev.loopkeeper.step.BoundedText;
import dev.loopkeeper.termination.RefusalCode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Opens questions of running steps, and closes each once: by an answer, in time, or at the end of its step. */
final class AskRules {
    private AskRules() {}

    /** Opens an ask; a repeated key is the same ask. */
    static Decision ask(DecisionBuilder builder, RunInput.Ask input) {
        RunState state = builder.state();
        boolean known = state.asks().stream()
                .anyMatch(ask -> ask.key().equals(input.key()) && ask.stepId().equals(input.stepId()));
        Optional<Refusal> refusal = known ? Optional.empty() : refusal(state, input);
        if (refusal.isPresent()) {
            return Decision.refused(state, refusal.get());
        }
        if (!known) {
            builder.emit(new AskOpened(
                    "ask-" + (state.sequence() + 1),
                    input.stepId(),
                    input.question(),
                    input.choices(),
                    builder.at().plus(input.patience()),
                    input.key(),
                    Requester.agent(input.stepId())));
            PhaseDriver.run(builder);
        }
        return builder.done();
    }

    private static Optional<Refusal> refusal(RunState state, RunInput.Ask input) {
        int bytes = Stream.concat(Stream.of(input.question()), input.choices().stream())
                .mapToInt(BoundedText::bytes)
                .sum();
        Duration patience = input.patience();
        if (bytes > Ask.MOST_BYTES) {
            return tooLarge("the question with its choices");
        } else if (input.question().isBlank()) {
            return refused(RefusalCode.INVALID_REQUEST, "the question is empty");
        } else if (input.choices().stream().anyMatch(String::isBlank)) {
            return refused(RefusalCode.INVALID_REQUEST, "a choice is empty");
        } else if (new HashSet<>(input.choices()).size() < input.choices().size()) {
            return refused(RefusalCode.INVALID_REQUEST, "a choice is given twice; give each choice once");
        } else if (patience.compareTo(Duration.ZERO) <= 0 || patience.compareTo(Ask.LONGEST_WAIT) > 0) {
            return refused(RefusalCode.INVALID_REQUEST, "the wait must be above 0 and at most 24h");
        } else if (!state.steps().containsKey(input.stepId())) {
            return refused(RefusalCode.ASK_CLOSED, "step " + input.stepId() + " does not run, so it cannot ask");
        } else if (state.openAsks().size() >= Ask.MOST_OPEN) {
            return refused(
                    RefusalCode.TOO_MANY_REQUESTS,
                    "the run has " + Ask.MOST_OPEN + " open asks; answer one of them first");
        }
        return Optional.empty();
    }

    /** Answers an ask: the first answer counts. */
    static Decision answer(DecisionBuilder builder, RunInput.Answer input) {
        RunState state = builder.state();
        Optional<Ask> ask = state.asks().stream()
                .filter(known -> known.askId().equals(input.askId()))
                .findFirst();
        Optional<Refusal> refusal;
        if (BoundedText.bytes(input.answer()) > Ask.MOST_BYTES) {
            refusal = tooLarge("the answer");
        } else if (input.answer().isBlank()) {
            refusal = refused(RefusalCode.INVALID_REQUEST, "the answer is empty");
        } else if (ask.isEmpty()) {
            refusal = refused(RefusalCode.NOT_FOUND, "run " + state.runId() + " has no ask " + input.askId());
        } else {
            refusal = ask.get().closed().map(end -> over(input.askId(), end));
        }
        if (refusal.isPresent()) {
            return Decision.refused(state, refusal.get());
        }
        close(builder, ask.orElseThrow(), AskOutcome.ANSWERED, Optional.of(input));
        return builder.done();
    }

    private static Refusal over(String askId, Ask.Closed end) {
        String by = end.by().orElse("");
        return switch (end.outcome()) {
            case ANSWERED ->
                new Refusal(
                        RefusalCode.ALREADY_ANSWERED,
                        askId + " was answered by " + by + " already",
                        Map.of("askId", askId, "by", by));
            case TIMEOUT -> closed(askId, end, " was closed: no answer came in time");
            case STEP_ENDED -> closed(askId, end, " was closed: its step has ended");
        };
    }

    private static Refusal closed(String askId, Ask.Closed end, String why) {
        return new Refusal(
                RefusalCode.ASK_CLOSED,
                askId + why,
                Map.of("askId", askId, "outcome", end.outcome().wire()));
    }

    /** Closes the asks whose time is over. */
    static void expire(DecisionBuilder builder) {
        builder.state().openAsks().stream()
                .filter(ask -> !ask.until().isAfter(builder.at()))
                .forEach(ask -> close(builder, ask, AskOutcome.TIMEOUT, Optional.empty()));
    }

    /** Closes the open asks of a step that has ended. */
    static void stepEnded(DecisionBuilder builder, String stepId) {
        builder.state().openAsks().stream()
                .filter(ask -> ask.stepId().equals(stepId))
                .forEach(ask -> close(builder, ask, AskOutcome.STEP_ENDED, Optional.empty()));
    }

    /** When the next open ask is closed without an answer. */
    static Stream<Instant> due(RunState state) {
        return state.openAsks().stream().map(Ask::until);
    }

    private static void close(DecisionBuilder builder, Ask ask, AskOutcome outcome, Optional<RunInput.Answer> answer) {
        builder.emit(new AskClosed(
                ask.askId(),
                ask.stepId(),
                outcome,
                answer.map(RunInput.Answer::answer),
                answer.map(RunInput.Answer::by)));
    }

    private static Optional<Refusal> tooLarge(String what) {
        return refused(RefusalCode.BODY_TOO_LARGE, what + " may have at most 64 KiB; write the rest to a file");
    }

    private static Optional<Refusal> refused(RefusalCode code, String message) {
        return Optional.of(new Refusal(code, message));
    }
}
