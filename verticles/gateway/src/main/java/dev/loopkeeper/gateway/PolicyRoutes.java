package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.gateway.access.Access;
import dev.loopkeeper.gateway.access.AllowedWorkspaces;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.read.PolicyReader;
import dev.loopkeeper.manifest.read.PolicyReading;
import dev.loopkeeper.step.Wording;
import dev.loopkeeper.store.AppliedPolicy;
import dev.loopkeeper.store.PolicyChangedException;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.ClearPool;
import dev.loopkeeper.store.StoreChannels.GetCaps;
import dev.loopkeeper.store.StoreChannels.GetPolicy;
import dev.loopkeeper.store.StoreChannels.GetPools;
import dev.loopkeeper.store.StoreChannels.PutPolicy;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code GET /policy}, {@code PUT /policy}, whose body is the policy, {@code GET /caps}, {@code GET /pools}, and the end of a cool-down. */
record PolicyRoutes(SchedulerClient scheduler, AllowedWorkspaces workspaces) {
    private static final Pattern VERSION = Pattern.compile("\"(\\d{1,18})\"");
    private static final long NO_VERSION = -1;

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/policy", this::get),
                Endpoint.put("/policy", this::put),
                Endpoint.get("/caps", this::caps),
                Endpoint.get("/pools", this::pools),
                Endpoint.post("/pools/{name}/clear", this::clear));
    }

    private Future<Answer> pools(RoutingContext context) {
        return scheduler.request(StoreChannels.POOLS, new GetPools()).map(pools -> Answer.ok(ViewJson.write(pools)));
    }

    private Future<Answer> clear(RoutingContext context) {
        String name = context.pathParam("name");
        return scheduler
                .request(StoreChannels.CLEAR_POOL, new ClearPool(name))
                .map(pools -> pools.pool(name)
                        .map(pool -> Answer.ok(ViewJson.write(pool)))
                        .orElseThrow(() ->
                                new Problem(RefusalCode.NOT_FOUND, "the policy has no pool " + Wording.quoted(name))));
    }

    private Future<Answer> caps(RoutingContext context) {
        return scheduler.request(StoreChannels.CAPS, new GetCaps()).map(caps -> Answer.ok(ViewJson.write(caps)));
    }

    private Future<Answer> get(RoutingContext context) {
        return scheduler.request(StoreChannels.POLICY, new GetPolicy()).map(policy -> answer(context, policy));
    }

    private static Answer answer(RoutingContext context, AppliedPolicy applied) {
        context.response().putHeader(HttpHeaders.ETAG, '"' + Long.toString(applied.version()) + '"');
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.set("policy", applied.document());
        return Answer.ok(answer.put("version", applied.version()));
    }

    /** Reads the body on a worker, since a policy may take a megabyte. */
    private Future<Answer> put(RoutingContext context) {
        OptionalLong expected = expected(context.request().getHeader(HttpHeaders.IF_MATCH));
        return context.vertx()
                .executeBlocking(() -> read(context), false)
                .compose(policy -> scheduler.request(
                        StoreChannels.PUT_POLICY, new PutPolicy(policy.document(), expected, Access.by(context))))
                .map(applied -> answer(context, applied))
                .recover(cause -> Future.failedFuture(
                        cause instanceof PolicyChangedException
                                ? new Problem(RefusalCode.POLICY_CHANGED, cause.getMessage())
                                : cause));
    }

    /** Any version for none and for {@code *}; a tag that is not one of ours is that of no version. */
    private static OptionalLong expected(String ifMatch) {
        if (ifMatch == null || ifMatch.strip().equals("*")) {
            return OptionalLong.empty();
        }
        Matcher version = VERSION.matcher(ifMatch.strip());
        return OptionalLong.of(version.matches() ? Long.parseLong(version.group(1)) : NO_VERSION);
    }

    /** An empty body is refused: it would remove the policy. */
    private PolicyReading.Valid read(RoutingContext context) {
        String body =
                context.body().buffer() == null ? "" : context.body().buffer().toString(StandardCharsets.UTF_8);
        if (body.isBlank()) {
            throw Problem.invalid("the body is missing; send the policy, {} for none");
        }
        PolicyReading reading = PolicyReader.read(body);
        if (reading instanceof PolicyReading.Invalid invalid) {
            throw GivenManifest.invalid(RefusalCode.INVALID_POLICY, "the policy", invalid.problems());
        }
        PolicyReading.Valid valid = (PolicyReading.Valid) reading;
        workspaces.check(valid.policy());
        return valid;
    }
}
