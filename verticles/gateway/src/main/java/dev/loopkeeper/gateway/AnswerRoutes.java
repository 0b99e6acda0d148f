package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.contract.AskChannels;
import dev.loopkeeper.contract.AskChannels.AnswerAsk;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.notification.AnswerToken;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.AskClosed;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Answers one pause or one ask by the token of its link, which permits nothing else. */
final class AnswerRoutes {
    private static final Duration VALID = Duration.ofDays(3);
    private static final String TOKEN = "token";
    private static final String ANSWER = "answer";
    private static final int ACCEPTED = 202;
    /** Asks that may close while one is open and still be distinguished from it. */
    private static final int MOST_CLOSED = 1000;

    private static final Set<String> CONTINUED =
            Set.of(EventTypes.of(RunResumed.class), EventTypes.of(RunQueued.class));

    private final EventStore store;
    private final SchedulerClient scheduler;

    AnswerRoutes(EventStore store, SchedulerClient scheduler) {
        this.store = store;
        this.scheduler = scheduler;
    }

    /**
     * What may be answered.
     *
     * @param send gives the answer
     */
    private record Open(
            Run run,
            String message,
            List<String> questions,
            List<String> choices,
            String action,
            Instant until,
            Function<String, Future<JsonNode>> send) {
        ObjectNode json() {
            ObjectNode form = Json.MAPPER
                    .createObjectNode()
                    .put("runId", run.runId())
                    .put("name", run.name())
                    .put("message", message);
            questions.forEach(form.putArray("questions")::add);
            choices.forEach(form.putArray("choices")::add);
            return form.put("action", action).put("until", Json.time(until));
        }
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.post("/answers", this::answer).open(),
                Endpoint.post("/answers/question", this::question).open());
    }

    private Future<Answer> question(RoutingContext context) {
        StrictObject body = RequestBody.of(context, Set.of(TOKEN));
        return open(RequestBody.required(body, TOKEN)).map(open -> Answer.ok(open.json()));
    }

    private Future<Answer> answer(RoutingContext context) {
        StrictObject body = RequestBody.of(context, Set.of(TOKEN, "text"));
        String token = RequestBody.required(body, TOKEN);
        String text = body.text("text")
                .filter(given -> !given.isBlank())
                .orElseThrow(() -> Problem.invalidAt("text", "is missing; write the answer"));
        return open(token)
                .compose(open -> open.send()
                        .apply(text)
                        .map(sent -> Answer.of(ACCEPTED, open.json()))
                        // Another answer may have been first; the run says so.
                        .recover(refused -> open(token).compose(still -> Future.failedFuture(refused))));
    }

    private Future<Open> open(String given) {
        return store.answerKey(Optional.empty())
                .map(key -> key.flatMap(known -> AnswerToken.read(given, known))
                        .orElseThrow(() ->
                                Problem.notFound("this is no link of this server; open it again from the message")))
                .compose(token -> store.events(token.runId(), token.sequence() - 1, 1)
                        .compose(found -> found.stream()
                                .map(PositionedEvent::event)
                                .findFirst()
                                .map(event -> open(token, event))
                                .orElseGet(() -> Future.failedFuture(closed("the run no longer exists", Map.of())))));
    }

    private Future<Open> open(AnswerToken token, StoredEvent stored) {
        RunEvent event = EventJson.read(stored.type(), stored.data());
        Instant until = stored.at().plus(VALID);
        return scheduler
                .run(token.runId())
                .compose(run -> event instanceof AskOpened ask
                        ? open(token, run, ask)
                        : open(token, run, ((RunPaused) event).pause(), until));
    }

    private Future<Open> open(AnswerToken token, Run run, AskOpened ask) {
        if (run.asks().stream().noneMatch(open -> open.askId().equals(ask.askId()))) {
            Set<String> closed = Set.of(EventTypes.of(AskClosed.class));
            return store.events(EventQuery.oldest(token.runId(), closed, token.sequence(), MOST_CLOSED))
                    .map(found -> found.stream()
                            .filter(one ->
                                    one.event().data().path("askId").asText().equals(ask.askId()))
                            .toList())
                    .compose(AnswerRoutes::overtaken);
        }
        return Future.succeededFuture(new Open(
                run,
                "step " + ask.stepId() + " asks",
                List.of(ask.question()),
                ask.choices(),
                ANSWER,
                ask.until(),
                text -> scheduler.document(
                        AskChannels.ANSWER, new AnswerAsk(run.runId(), ask.askId(), text, Requester.LINK))));
    }

    private Future<Open> open(AnswerToken token, Run run, Pause pause, Instant until) {
        if (run.pause().filter(now -> now.since().equals(pause.since())).isEmpty()) {
            return store.events(EventQuery.oldest(token.runId(), CONTINUED, token.sequence(), 1))
                    .compose(AnswerRoutes::overtaken);
        }
        ResumeAction action = pause.allowedActions().get(0);
        return until.isAfter(Instants.now())
                ? Future.succeededFuture(new Open(
                        run,
                        pause.message(),
                        pause.questions(),
                        List.of(),
                        action.wire(),
                        until,
                        text -> scheduler.document(
                                RunChannels.RESUME,
                                new ResumeRun(
                                        run.runId(),
                                        ResumeRequest.PLAIN.action(action).feedback(text),
                                        Requester.LINK,
                                        Optional.of(pause.since())))))
                : Future.failedFuture(
                        closed("the link was valid for 72 hours; resume the run in another way", Map.of()));
    }

    /** Says how the run has gone on. */
    private static Future<Open> overtaken(List<PositionedEvent> found) {
        return Future.failedFuture(found.stream()
                .map(PositionedEvent::event)
                .findFirst()
                .map(AnswerRoutes::answered)
                .orElseGet(() -> closed("the run has moved on without an answer", Map.of())));
    }

    private static Problem answered(StoredEvent stored) {
        RunEvent event = EventJson.read(stored.type(), stored.data());
        if (event instanceof AskClosed ask) {
            return answered(stored, ask.text(), Optional.of(ANSWER), ask.by(), ask.answer());
        }
        boolean queued = event instanceof RunQueued;
        String by = queued ? ((RunQueued) event).by() : ((RunResumed) event).by();
        ResumeAction action = queued ? ((RunQueued) event).action() : ((RunResumed) event).action();
        Optional<String> answer = (queued ? ((RunQueued) event).request() : ((RunResumed) event).request()).feedback();
        String said = answer.map(text -> ": " + text).orElse("");
        return answered(
                stored,
                "answered already by " + by + " with " + action.wire() + said,
                Optional.of(action.wire()),
                Optional.of(by),
                answer);
    }

    private static Problem answered(
            StoredEvent stored, String detail, Optional<String> action, Optional<String> by, Optional<String> answer) {
        Map<String, Object> details = new LinkedHashMap<>();
        action.ifPresent(known -> details.put("action", known));
        by.ifPresent(known -> details.put("by", known));
        details.put("at", Json.time(stored.at()));
        answer.ifPresent(text -> details.put(ANSWER, text));
        return closed(detail, details);
    }

    private static Problem closed(String detail, Map<String, Object> details) {
        return new Problem(new Refusal(RefusalCode.ANSWER_CLOSED, detail, details));
    }
}
