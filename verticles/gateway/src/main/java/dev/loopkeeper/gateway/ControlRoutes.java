package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.EndRun;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.gateway.access.Access;
import dev.loopkeeper.gateway.access.AllowedWorkspaces;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.request.ResumeFields;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.ChangedManifest;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.submit.SubmitOptions;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Stop, end, pause and resume: 202 once the command is durable, or 200 if the client waits and it is done. */
record ControlRoutes(ManifestIntake intake, SchedulerClient scheduler, AllowedWorkspaces workspaces, RunWait waits) {
    private static final String MANIFEST = "manifest";
    private static final String MANIFEST_FILE = "manifestFile";
    private static final Set<String> RESUME = Stream.concat(
                    ResumeFields.NAMES.stream(), Stream.of("action", MANIFEST, MANIFEST_FILE))
            .collect(Collectors.toUnmodifiableSet());

    private static final String CHANGES = "changes";
    private static final String WAIT = "wait";
    private static final int DONE = 200;
    private static final int ACCEPTED = 202;

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
        StopRun question = new StopRun(runId, body.text("reason"), body.flag("now", false), Access.by(context));
        return accepted(context, wait, runId, () -> scheduler.document(RunChannels.STOP, question), Run::stopComplete)
                .map(ControlRoutes::answer);
    }

    private Future<Answer> end(RoutingContext context) {
        String runId = Ids.run(context);
        Optional<Duration> wait = new Query(context).waiting();
        StrictObject body = RequestBody.of(context, Set.of("reason", "summary", "qualifier"));
        EndRun question = new EndRun(
                runId,
                RequestBody.required(body, "reason"),
                RequestBody.required(body, "summary"),
                body.text("qualifier"),
                Access.by(context));
        return accepted(context, wait, runId, () -> scheduler.document(RunChannels.END, question), Run::stopComplete)
                .map(ControlRoutes::answer);
    }

    private Future<Answer> pause(RoutingContext context) {
        String runId = Ids.run(context);
        Optional<Duration> wait = new Query(context).waiting();
        StrictObject body = RequestBody.of(context, Set.of("reason", "at"));
        PauseRun question = new PauseRun(runId, body.text("reason"), ResumeFields.time(body, "at"), Access.by(context));
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
        // Parsing a manifest of a megabyte would block the event loop.
        return context.vertx()
                .executeBlocking(() -> RequestBody.of(context, RESUME), false)
                .compose(body -> resume(context, runId, wait, body));
    }

    private Future<Answer> resume(RoutingContext context, String runId, Optional<Duration> wait, StrictObject body) {
        ResumeFields fields = new ResumeFields(body, "action");
        Optional<String> unknown = fields.unknownAction();
        if (unknown.isPresent()) {
            return scheduler.run(runId).compose(run -> Future.failedFuture(notAllowed(run, unknown.get())));
        }
        ResumeRequest request = fields.request().with(copy -> copy.trace(SubmitRoute.trace(context)));
        return body.any(MANIFEST).isPresent() || body.any(MANIFEST_FILE).isPresent()
                ? changed(runId, body)
                        .compose(manifest -> resume(context, runId, wait, request.changedManifest(manifest)))
                : resume(context, runId, wait, request);
    }

    private Future<ChangedManifest> changed(String runId, StrictObject body) {
        Optional<ManifestFile> file = GivenManifest.file(body);
        JsonNode manifest = GivenManifest.of(body);
        return scheduler
                .run(runId)
                .compose(run -> intake.read(
                        manifest, SubmitOptions.ofRun(run.workspace().orElseThrow())))
                .compose(GivenManifest::ready)
                .map(ready -> {
                    workspaces.check(ready.workspace());
                    return new ChangedManifest(ready.document(), ready.manifest(), ready.baseDir(), file, List.of());
                });
    }

    private Future<Answer> resume(
            RoutingContext context, String runId, Optional<Duration> wait, ResumeRequest request) {
        AtomicReference<JsonNode> resumed = new AtomicReference<>(MissingNode.getInstance());
        Supplier<Future<JsonNode>> action = () -> scheduler
                .document(RunChannels.RESUME, new ResumeRun(runId, request, Access.by(context), Optional.empty()))
                .onSuccess(resumed::set);
        return request.dryRun()
                ? action.get().map(preview -> Answer.ok(named("preview", preview)))
                : accepted(context, wait, runId, action, ControlRoutes::isPausedOrEnded)
                        .map(outcome -> new RunWait.Outcome(outcome.met(), resumed(outcome.run(), resumed.get())))
                        .map(ControlRoutes::answer);
    }

    /** Adds the changes of a changed manifest, also to the run as of a later moment. */
    private static JsonNode resumed(JsonNode run, JsonNode resumed) {
        ObjectNode named = named("run", run);
        return resumed.has(CHANGES) ? named.set(CHANGES, resumed.path(CHANGES)) : named;
    }

    private Future<RunWait.Outcome> accepted(
            RoutingContext context,
            Optional<Duration> wait,
            String runId,
            Supplier<Future<JsonNode>> action,
            Predicate<Run> condition) {
        return wait.map(limit -> waits.after(action, runId, condition, limit, ClientGone.of(context)))
                .orElseGet(() -> action.get().map(run -> new RunWait.Outcome(false, run)));
    }

    private static Answer answer(RunWait.Outcome outcome) {
        return Answer.of(outcome.met() ? DONE : ACCEPTED, outcome.run());
    }

    /** Adds a discriminator, by which generated clients distinguish a run from the preview of a dry run. */
    private static ObjectNode named(String kind, JsonNode document) {
        ObjectNode named = Json.MAPPER.createObjectNode().put("answer", kind);
        named.setAll((ObjectNode) document);
        return named;
    }

    private static boolean isPausedOrEnded(Run run) {
        return run.status() == RunStatus.PAUSED || run.status().isEnded();
    }

    /** The scheduler has no such action, so the message lists the run's actions. */
    private static Problem notAllowed(Run run, String action) {
        if (run.pause().isEmpty()) {
            return Problem.invalidAt(
                    "action", "is unknown: '" + action + "'; known are " + String.join(", ", ResumeFields.ACTIONS));
        }
        return new Problem(new Refusal(
                RefusalCode.ACTION_NOT_ALLOWED,
                "'" + action + "' is not an action of this paused run",
                Map.of("allowedActions", run.pause().get().allowedActions())));
    }
}
