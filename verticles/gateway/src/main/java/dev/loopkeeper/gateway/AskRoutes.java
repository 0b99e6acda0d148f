package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.AskChannels;
import dev.loopkeeper.contract.AskChannels.AnswerAsk;
import dev.loopkeeper.contract.AskChannels.AskPerson;
import dev.loopkeeper.contract.AskChannels.GetAsk;
import dev.loopkeeper.data.StepToken;
import dev.loopkeeper.gateway.access.Access;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.manifest.read.DurationText;
import dev.loopkeeper.run.step.Ask;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Questions of running steps: a step asks with its own token, which permits nothing else; a person answers. */
record AskRoutes(SchedulerClient scheduler, RunWait waits, Path data) {
    private static final String WAIT = "wait";

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.post("/runs/{runId}/asks/{askId}", this::answer),
                Endpoint.post("/runs/{runId}/steps/{stepId}/asks", this::ask).open(),
                Endpoint.get("/runs/{runId}/steps/{stepId}/asks/{askId}", this::wait)
                        .taking(WAIT)
                        .open());
    }

    private Future<Answer> answer(RoutingContext context) {
        String runId = Ids.run(context);
        String askId = Ids.of(context, "askId");
        String answer = RequestBody.required(RequestBody.of(context, Set.of("answer")), "answer");
        return scheduler
                .document(AskChannels.ANSWER, new AnswerAsk(runId, askId, answer, Access.by(context)))
                .map(Answer::ok);
    }

    private Future<Answer> ask(RoutingContext context) {
        String runId = Ids.run(context);
        String stepId = Ids.step(context);
        StrictObject body = RequestBody.of(context, Set.of("key", "question", "choices", WAIT));
        AskPerson command = new AskPerson(
                runId,
                stepId,
                RequestBody.required(body, "key"),
                RequestBody.required(body, "question"),
                body.texts("choices"),
                patience(body));
        return asStep(context, () -> scheduler.document(AskChannels.ASK, command));
    }

    private static Duration patience(StrictObject body) {
        return body.text(WAIT)
                .map(text -> DurationText.parse(text)
                        .orElseThrow(() -> Problem.invalidAt(WAIT, "must be a duration, such as 30m")))
                .orElse(Ask.USUAL_WAIT);
    }

    private Future<Answer> wait(RoutingContext context) {
        GetAsk question = new GetAsk(Ids.run(context), Ids.step(context), Ids.of(context, "askId"));
        Optional<Duration> wait = new Query(context).waiting();
        return asStep(
                context,
                () -> wait.map(limit -> closed(context, question, limit))
                        .orElseGet(() -> scheduler.document(AskChannels.GET, question)));
    }

    private Future<JsonNode> closed(RoutingContext context, GetAsk question, Duration limit) {
        return waits.after(
                        () -> scheduler.document(AskChannels.GET, question),
                        question.runId(),
                        run -> !isOpen(run, question.askId()),
                        limit,
                        ClientGone.of(context))
                .compose(outcome -> scheduler.document(AskChannels.GET, question));
    }

    private static boolean isOpen(Run run, String askId) {
        return run.asks().stream().anyMatch(ask -> ask.askId().equals(askId));
    }

    /** Does this for the bearer of the step's own token only. */
    private Future<Answer> asStep(RoutingContext context, Supplier<Future<JsonNode>> work) {
        String token = Access.bearer(context).orElse("");
        return context.vertx()
                .executeBlocking(() -> StepToken.matches(data, Ids.run(context), Ids.step(context), token), false)
                .compose(own -> own ? work.get().map(Answer::ok) : Future.failedFuture(notTheStep()));
    }

    private static Problem notTheStep() {
        return new Problem(RefusalCode.UNAUTHORIZED, "only the step itself asks, with its LOOPKEEPER_STEP_TOKEN");
    }
}
