package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.GetStep;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Step;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;

/** Sends requests to the scheduler. A refusal becomes a failed future with a {@link Problem}. */
record SchedulerClient(EventBus bus, Duration patience) {
    private static final Duration LONGEST_GRACE = Duration.ofMinutes(5);

    <Q> Future<RunAnswer> ask(RequestChannel<Q, RunAnswer> channel, Q question) {
        return channel.ask(bus, question, patience).compose(SchedulerClient::unlessRefused);
    }

    <Q> Future<JsonNode> document(RequestChannel<Q, RunAnswer> channel, Q question) {
        return ask(channel, question).map(answer -> answer.document().orElseThrow());
    }

    Future<Run> run(String runId) {
        return ask(RunChannels.GET, new GetRun(runId)).map(answer -> answer.as(Run.class));
    }

    Future<Step> step(String runId, String stepId) {
        return ask(RunChannels.STEP, new GetStep(runId, stepId)).map(answer -> answer.as(Step.class));
    }

    /** Sends a request to another verticle. */
    <Q, A> Future<A> request(RequestChannel<Q, A> channel, Q question) {
        return channel.ask(bus, question, patience);
    }

    /** Does the same for requests that end processes, which have their own grace. */
    <Q, A> Future<A> requestLong(RequestChannel<Q, A> channel, Q question) {
        return channel.ask(bus, question, patience.plus(LONGEST_GRACE));
    }

    /** Fails with a {@link Problem} if the answer is a refusal. */
    static Future<RunAnswer> unlessRefused(RunAnswer answer) {
        return answer.refusal()
                .<Future<RunAnswer>>map(refusal -> Future.failedFuture(new Problem(refusal)))
                .orElseGet(() -> Future.succeededFuture(answer));
    }
}
