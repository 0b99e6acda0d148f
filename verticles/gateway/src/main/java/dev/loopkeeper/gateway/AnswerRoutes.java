package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.EventJson;
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
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.termination.RefusalCode;
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

/** Answers one pause by the token of its link, which permits nothing else. */
final class AnswerRoutes {
    private static final Duration VALID = Duration.ofDays(3);
    private static final String TOKEN = "token";
    private static final int ACCEPTED = 202;

    private final EventStore store;
    private final SchedulerClient scheduler;

    AnswerRoutes(EventStore store, SchedulerClient scheduler) {
        this.store = store;
        this.scheduler = scheduler;
    }

    /** A pause that may be answered. */
    private record Open(AnswerToken token, Run run, Pause pause, Instant until) {
        ObjectNode json() {
            ObjectNode form = Json.MAPPER
                    .createObjectNode()
                    .put("runId", run.runId())
                    .put("name", run.name())
                    .put("message", pause.message());
            pause.questions().forEach(form.putArray("questions")::add);
            return form.put("action", pause.allowedActions().get(0).wire()).put("until", Json.time(until));
        }
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.post("/answers", this::answer).open(),
                Endpoint.post("/answers/question", this::question).open());
    }

    private Future<Answer> question(RoutingContext context) {
        StrictObject body = RequestBody.of(context, Set.of(TOKEN));
        return open(token(body)).map(open -> Answer.ok(open.json()));
    }

    private Future<Answer> answer(RoutingContext context) {
        StrictObject body = RequestBody.of(context, Set.of(TOKEN, "text"));
        String token = token(body);
        String text = body.text("text")
                .filter(given -> !given.isBlank())
                .orElseThrow(() -> Problem.invalidAt("text", "is missing; write the answer"));
        return open(token).compose(open -> {
            ResumeRequest request = ResumeRequest.PLAIN
                    .action(open.pause().allowedActions().get(0))
                    .feedback(text);
            return scheduler
                    .document(RunChannels.RESUME, new ResumeRun(open.token().runId(), request))
                    .map(resumed -> Answer.of(ACCEPTED, open.json()))
                    // Another answer may have been first; the run says so.
                    .recover(refused -> open(token).compose(still -> Future.failedFuture(refused)));
        });
    }

    private static String token(StrictObject body) {
        return body.text(TOKEN).orElseThrow(() -> Problem.invalidAt(TOKEN, "is missing"));
    }

    private Future<Open> open(String given) {
        return store.answerKey(Optional.empty())
                .map(key -> key.flatMap(known -> AnswerToken.read(given, known))
                        .orElseThrow(() ->
                                Problem.notFound("this is no link of this server; open it again from the message")))
                .compose(token -> store.events(token.runId(), token.sequence() - 1, 1)
                        .compose(found -> found.stream()
                                .map(PositionedEvent::event)
                                .filter(event -> event.type().equals(EventTypes.of(RunPaused.class)))
                                .findFirst()
                                .map(event -> open(token, event))
                                .orElseGet(() -> Future.failedFuture(closed("the run no longer exists", Map.of())))));
    }

    private Future<Open> open(AnswerToken token, StoredEvent event) {
        Pause pause = ((RunPaused) EventJson.read(event.type(), event.data())).pause();
        Instant until = event.at().plus(VALID);
        return scheduler.run(token.runId()).compose(run -> {
            boolean waits =
                    run.pause().filter(now -> now.since().equals(pause.since())).isPresent();
            if (!waits) {
                return overtaken(token);
            }
            return until.isAfter(Instants.now())
                    ? Future.succeededFuture(new Open(token, run, pause, until))
                    : Future.failedFuture(
                            closed("the link was valid for 72 hours; resume the run in another way", Map.of()));
        });
    }

    /** Says how the run has gone on. */
    private Future<Open> overtaken(AnswerToken token) {
        Set<String> resumed = Set.of(EventTypes.of(RunResumed.class));
        return store.events(EventQuery.oldest(token.runId(), resumed, token.sequence(), 1))
                .compose(found -> Future.failedFuture(found.stream()
                        .map(PositionedEvent::event)
                        .findFirst()
                        .map(AnswerRoutes::answered)
                        .orElseGet(() -> closed("the run has moved on without an answer", Map.of()))));
    }

    private static Problem answered(StoredEvent event) {
        RunResumed resumed = (RunResumed) EventJson.read(event.type(), event.data());
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("action", resumed.action().wire());
        details.put("by", resumed.by());
        details.put("at", Json.time(event.at()));
        resumed.request().feedback().ifPresent(text -> details.put("answer", text));
        String text = resumed.request().feedback().map(said -> ": " + said).orElse("");
        return closed(
                "answered already by " + resumed.by() + " with "
                        + resumed.action().wire() + text,
                details);
    }

    private static Problem closed(String detail, Map<String, Object> details) {
        return new Problem(new Refusal(RefusalCode.ANSWER_CLOSED, detail, details));
    }
}
