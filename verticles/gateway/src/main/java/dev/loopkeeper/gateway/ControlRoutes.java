package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.run.EndRun;
import dev.loopkeeper.contract.run.PauseRun;
import dev.loopkeeper.contract.run.ResumeRun;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.contract.run.StopRun;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.request.ResumeFields;
import dev.loopkeeper.rules.Refusal;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Stop, end, pause and resume: 202 when that is durable, or 200 when it is done and the client waits for it. */
final class ControlRoutes {
    private static final Set<String> RESUME =
            Stream.concat(ResumeFields.NAMES.stream(), Stream.of("action")).collect(Collectors.toUnmodifiableSet());

    private static final String WAIT = "wait";
    private static final int DONE = 200;
    private static final int ACCEPTED = 202;

    private final SchedulerClient scheduler;
    private final RunWait waits;

    ControlRoutes(SchedulerClient scheduler, RunWait waits) {
        this.scheduler = scheduler;
        this.waits = waits;
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.post("/runs/{runId}/stop", this::stop).taking(WAIT),
                Endpoint.post("/runs/{runId}/end", this::end).taking(WAIT),
                Endpoint.post("/runs/{runId}/pause", this::pause).taking(WAIT),
                Endpoint.post("/runs/{runId}/resume", this::resume).taking(WAIT));
    }

    private Future<Answer> stop(RoutingContext context) {
        String runId = Ids.run(context);
        Optional<Duration> wait = new Query(context).waiting();
        StrictObject body = RequestBody.of(context, Set.of("reason", "now"));
        StopRun question = new StopRun(runId, body.text("reason"), body.flag("now", false));
        return accepted(
                        context,
                        wait,
                        runId,
                        () -> scheduler.document(RunChannels.STOP, question),
                        ControlRoutes::isStopped)
                .map(ControlRoutes::answer);
    }

    private Future<Answer> end(RoutingContext context) {
        String runId = Ids.run(context);
        Optional<Duration> wait = new Query(context).waiting();
        StrictObject body = RequestBody.of(context, Set.of("reason", "summary", "qualifier"));
        EndRun question =
                new EndRun(runId, required(body, "reason"), required(body, "summary"), body.text("qualifier"));
        return accepted(
                        context,
                        wait,
                        runId,
                        () -> scheduler.document(RunChannels.END, question),
                        ControlRoutes::isStopped)
                .map(ControlRoutes::answer);
    }

    private static String required(StrictObject body, String name) {
        return body.text(name).orElseThrow(() -> Problem.invalidAt(name, "is missing"));
    }

    private Future<Answer> pause(RoutingContext context) {
        String runId = Ids.run(context);
        Optional<Duration> wait = new Query(context).waiting();
        PauseRun question =
                new PauseRun(runId, RequestBody.of(context, Set.of("reason")).text("reason"));
        return accepted(
                        context,
                        wait,
                        runId,
                        () -> scheduler.document(RunChannels.PAUSE, question),
                        ControlRoutes::isPausedOrEnded)
                .map(ControlRoutes::answer);
    }

    private Future<Answer> resume(RoutingContext context) {
        String runId = Ids.run(context);
        Optional<Duration> wait = new Query(context).waiting();
        ResumeFields body = new ResumeFields(RequestBody.of(context, RESUME), "action");
        Optional<String> unknown = body.unknownAction();
        if (unknown.isPresent()) {
            return scheduler.run(runId).compose(run -> Future.failedFuture(notAllowed(run, unknown.get())));
        }
        ResumeRequest request = body.request();
        Supplier<Future<JsonNode>> action = () -> scheduler.document(RunChannels.RESUME, new ResumeRun(runId, request));
        return request.dryRun()
                ? action.get().map(preview -> Answer.ok(named("preview", preview)))
                : accepted(context, wait, runId, action, ControlRoutes::isPausedOrEnded)
                        .map(outcome -> new RunWait.Outcome(outcome.met(), named("run", outcome.run())))
                        .map(ControlRoutes::answer);
    }

    private Future<RunWait.Outcome> accepted(
            RoutingContext context,
            Optional<Duration> wait,
            String runId,
            Supplier<Future<JsonNode>> action,
            Predicate<Run> wished) {
        return wait.map(limit -> waits.after(action, runId, wished, limit, ClientGone.of(context)))
                .orElseGet(() -> action.get().map(run -> new RunWait.Outcome(false, run)));
    }

    private static Answer answer(RunWait.Outcome outcome) {
        return Answer.of(outcome.met() ? DONE : ACCEPTED, outcome.run());
    }

    /** With a word that tells the run and the preview of a dry run apart: readers of generated clients need it. */
    private static JsonNode named(String kind, JsonNode document) {
        ObjectNode named = Json.MAPPER.createObjectNode().put("answer", kind);
        named.setAll((ObjectNode) document);
        return named;
    }

    private static boolean isPausedOrEnded(Run run) {
        return run.status() == RunStatus.PAUSED || run.status().isEnded();
    }

    /** A stop is over when the run has ended, or pauses because some of its processes would not die. */
    private static boolean isStopped(Run run) {
        return run.status().isEnded()
                || run.pause()
                        .filter(pause -> pause.reason() == PauseReason.SURVIVORS)
                        .isPresent();
    }

    /** The scheduler knows no such action, so the run's own list says what is possible. */
    private static Problem notAllowed(Run run, String action) {
        if (run.pause().isEmpty()) {
            return Problem.invalidAt(
                    "action", "is unknown: '" + action + "'; known are " + String.join(", ", ResumeFields.ACTIONS));
        }
        return new Problem(new Refusal(
                "action-not-allowed",
                "'" + action + "' is not an action of this paused run",
                Map.of("allowedActions", run.pause().get().allowedActions())));
    }
}
