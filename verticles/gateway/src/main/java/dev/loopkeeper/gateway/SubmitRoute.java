package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.ClientEnvironment;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.gateway.access.Access;
import dev.loopkeeper.gateway.access.AllowedWorkspaces;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.request.ResumeFields;
import dev.loopkeeper.run.RunId;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.SubmitOptions;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * {@code POST /runs}: {@code {manifest, workspace?, vars?, start?, runId?, manifestFile?, environment?, umask?}}, and
 * {@code POST /manifests/check}, which starts nothing: {@code {manifest, workspace?, vars?}}.
 */
record SubmitRoute(ManifestIntake intake, SchedulerClient scheduler, AllowedWorkspaces workspaces) {
    private static final Set<String> TO_CHECK = Set.of("manifest", "workspace", "vars");
    private static final Set<String> TO_START = Set.of(
            "manifest", "workspace", "vars", "start", "startAt", "runId", "manifestFile", "environment", "umask");
    private static final Pattern UMASK = Pattern.compile("[0-7]{3,4}");
    private static final Pattern IDEMPOTENCY_KEY = Pattern.compile("[\\x21-\\x7e]{1,200}");

    List<Endpoint> endpoints() {
        return List.of(Endpoint.post("/runs", this::submit), Endpoint.post("/manifests/check", this::check));
    }

    private Future<Answer> submit(RoutingContext context) {
        return body(context, TO_START).compose(body -> submit(context, body));
    }

    /** Reads the body on a worker, since a manifest may take a megabyte. */
    private static Future<StrictObject> body(RoutingContext context, Set<String> known) {
        return context.vertx().executeBlocking(() -> RequestBody.of(context, known), false);
    }

    private Future<Answer> submit(RoutingContext context, StrictObject body) {
        JsonNode manifest = GivenManifest.of(body);
        Optional<String> runId = body.text("runId");
        runId.ifPresent(id -> body.require(RunId.isValid(id), "runId", "may have " + RunId.RULE + " only"));
        boolean start = body.flag("start", true);
        Optional<Instant> startAt = ResumeFields.time(body, "startAt");
        body.require(start || startAt.isEmpty(), "startAt", "excludes start: false");
        Optional<ManifestFile> file = GivenManifest.file(body);
        Optional<String> key = idempotencyKey(context);
        Optional<ClientEnvironment> environment = environment(body);
        return intake.read(manifest, overlay(body).in(environment))
                .compose(GivenManifest::ready)
                .compose(ready -> {
                    workspaces.check(ready.workspace());
                    StartRun question = new StartRun(
                            runId,
                            ready.document(),
                            ready.workspace(),
                            ready.baseDir(),
                            start,
                            key,
                            file,
                            environment,
                            startAt,
                            trace(context),
                            Access.by(context),
                            Optional.empty());
                    return scheduler
                            .ask(RunChannels.START, question)
                            .map(started -> answer(context, started, ready.warnings()));
                });
    }

    /** Where in a trace the client is, by its headers. */
    static Optional<TraceContext> trace(RoutingContext context) {
        HttpServerRequest request = context.request();
        return TraceContext.read(
                Optional.ofNullable(request.getHeader(TraceContext.PARENT)),
                Optional.ofNullable(request.getHeader(TraceContext.STATE)));
    }

    private Future<Answer> check(RoutingContext context) {
        return body(context, TO_CHECK)
                .compose(body -> intake.read(GivenManifest.of(body), overlay(body)))
                .map(this::findings);
    }

    private static SubmitOptions overlay(StrictObject body) {
        return new SubmitOptions(body.text("workspace"), body.scalars("vars"), Map.of());
    }

    private static Optional<ClientEnvironment> environment(StrictObject body) {
        Optional<String> umask = body.text("umask");
        body.require(umask.isEmpty() || UMASK.matcher(umask.get()).matches(), "umask", "must be 3 or 4 octal digits");
        if (body.any("environment").isEmpty()) {
            body.require(umask.isEmpty(), "umask", "may be given with environment only");
            return Optional.empty();
        }
        Map<String, String> variables = body.scalars("environment");
        body.require(
                variables.entrySet().stream().allMatch(SubmitRoute::isVariable),
                "environment",
                "must have names without = and no NUL");
        ClientEnvironment environment = ClientEnvironment.of(variables, umask);
        body.require(
                environment.bytes() <= ClientEnvironment.MOST_BYTES,
                "environment",
                "may have " + ClientEnvironment.MOST_BYTES + " bytes at most");
        return Optional.of(environment);
    }

    private static boolean isVariable(Map.Entry<String, String> variable) {
        String name = variable.getKey();
        return !name.isEmpty() && name.indexOf('=') < 0 && (name + variable.getValue()).indexOf('\0') < 0;
    }

    private Answer findings(Submission submission) {
        if (submission instanceof Submission.Accepted ready) {
            workspaces.check(ready.workspace());
        }
        return Answer.ok(submission.findings());
    }

    static Optional<String> idempotencyKey(RoutingContext context) {
        List<String> keys = context.request().headers().getAll("Idempotency-Key");
        if (keys.size() > 1) {
            throw Problem.invalidAt("Idempotency-Key", "is given more than once");
        }
        Optional<String> key = keys.stream().findFirst();
        if (key.isPresent() && !IDEMPOTENCY_KEY.matcher(key.get()).matches()) {
            throw Problem.invalidAt("Idempotency-Key", "must be 1 to 200 visible ASCII characters");
        }
        return key;
    }

    private static Answer answer(RoutingContext context, RunAnswer started, List<ManifestProblem> warnings) {
        // A shallow copy is enough: nested values stay unchanged.
        ObjectNode run = Json.MAPPER.createObjectNode();
        run.setAll((ObjectNode) started.document().orElseThrow());
        ArrayNode list = run.putArray("warnings");
        warnings.forEach(warning -> list.add(warning.json()));
        String location = Endpoint.path(context, "/runs/" + run.path("runId").asText());
        return Answer.at(location, started.created() ? 201 : 200, run);
    }
}
