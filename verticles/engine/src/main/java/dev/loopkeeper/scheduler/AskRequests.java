package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.AskChannels;
import dev.loopkeeper.contract.AskChannels.AnswerAsk;
import dev.loopkeeper.contract.AskChannels.AskPerson;
import dev.loopkeeper.contract.AskChannels.GetAsk;
import dev.loopkeeper.contract.AskChannels.LastAsked;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.Ask;
import dev.loopkeeper.view.AskResult;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Instant;
import java.util.Comparator;
import java.util.function.Predicate;

/** Answers requests about questions of running steps. */
record AskRequests(RunRequests requests) {
    Future<?> serve(EventBus bus) {
        return Future.all(
                AskChannels.ASK.serve(bus, this::ask),
                AskChannels.ANSWER.serve(bus, this::answer),
                AskChannels.GET.serve(bus, this::get));
    }

    private Future<RunAnswer> ask(AskPerson command) {
        RunInput.Ask input = new RunInput.Ask(
                Instants.now(),
                command.stepId(),
                command.key(),
                command.question(),
                command.choices(),
                command.patience());
        return requests.execute(
                "ask",
                command.runId(),
                command,
                run -> run.ask(input)
                        .map(decision -> decision.refusal()
                                .map(Refusals::of)
                                .orElseGet(() -> result(
                                        decision.state(),
                                        ask -> ask.key().equals(command.key())
                                                && ask.stepId().equals(command.stepId()),
                                        command.key()))));
    }

    private Future<RunAnswer> answer(AnswerAsk command) {
        RunInput.Answer input = new RunInput.Answer(Instants.now(), command.askId(), command.answer(), command.by());
        return requests.execute("answer", command.runId(), command, run -> requests.ask(run, input));
    }

    private Future<RunAnswer> get(GetAsk question) {
        return requests.reading(
                question.runId(),
                state -> Future.succeededFuture(result(
                        state,
                        ask -> ask.askId().equals(question.askId())
                                && ask.stepId().equals(question.stepId()),
                        question.askId())));
    }

    private static RunAnswer result(RunState state, Predicate<Ask> wanted, String name) {
        return state.asks().stream()
                .filter(wanted)
                .findFirst()
                .map(ask -> RunAnswer.of(AskResult.of(ask)))
                .orElseGet(() -> Refusals.noAsk(state.runId(), name));
    }

    /** Answers from memory: when the step last waited for a person. */
    static LastAsked last(RunActors actors, LastAsked question) {
        Instant at = actors.loaded(question.runId()).stream()
                .flatMap(run -> run.state().asks().stream())
                .filter(ask -> ask.stepId().equals(question.stepId()))
                .map(ask -> ask.closed().map(Ask.Closed::at).orElseGet(Instants::now))
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
        return new LastAsked(question.runId(), question.stepId(), at);
    }
}
