package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.contract.ScheduleChannels.FireSchedule;
import dev.loopkeeper.contract.ScheduleChannels.ListSchedules;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.Schedule;
import dev.loopkeeper.policy.Schedule.Hook;
import dev.loopkeeper.step.Sha256;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.GetPolicy;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /schedules[/{name}]}, {@code POST /schedules/{name}/fire {vars?}} and {@code POST /hooks/{name}}.
 *
 * @param environment has the secrets of hooks
 */
record ScheduleRoutes(SchedulerClient scheduler, Function<String, String> environment) {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduleRoutes.class);
    private static final String NAME = "name";
    private static final String SIGNATURE = "X-Hub-Signature-256";
    private static final String DELIVERY = "X-GitHub-Delivery";
    private static final Pattern DELIVERY_ID = Pattern.compile("[\\x21-\\x7e]{1,200}");
    private static final int CREATED = 201;

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/schedules", context -> list(Optional.empty())),
                Endpoint.get("/schedules/{name}", context -> list(Optional.of(Ids.of(context, NAME)))),
                Endpoint.post("/schedules/{name}/fire", this::fire),
                Endpoint.post("/hooks/{name}", this::hook).open());
    }

    private Future<Answer> list(Optional<String> name) {
        return scheduler
                .document(ScheduleChannels.LIST, new ListSchedules(name))
                .map(Answer::ok);
    }

    private Future<Answer> fire(RoutingContext context) {
        StrictObject body = RequestBody.of(context, Set.of("vars"));
        return fire(
                context,
                new FireSchedule(
                        Ids.of(context, NAME),
                        Fire.By.HAND,
                        SubmitRoute.idempotencyKey(context),
                        body.scalars("vars")));
    }

    private Future<Answer> fire(RoutingContext context, FireSchedule command) {
        return scheduler
                .document(ScheduleChannels.FIRE, command)
                .map(fire -> fire.path("outcome").asText().equals(Fire.Outcome.STARTED.wire())
                        ? Answer.at(
                                Endpoint.path(
                                        context, "/runs/" + fire.path("runId").asText()),
                                CREATED,
                                fire)
                        : Answer.ok(fire));
    }

    private Future<Answer> hook(RoutingContext context) {
        String name = Ids.of(context, NAME);
        Buffer received = context.body().buffer();
        byte[] body = received == null ? new byte[0] : received.getBytes();
        return scheduler.request(StoreChannels.POLICY, new GetPolicy()).compose(applied -> {
            Hook hook = applied.policy()
                    .schedule(name)
                    .flatMap(Schedule::hook)
                    .filter(known ->
                            isSigned(name, known, body, context.request().getHeader(SIGNATURE)))
                    .orElseThrow(() -> new Problem(
                            RefusalCode.UNAUTHORIZED,
                            SIGNATURE + " is not the signature of this body with the secret of a schedule's hook"));
            String delivery = Optional.ofNullable(context.request().getHeader(DELIVERY))
                    .filter(DELIVERY_ID.asMatchPredicate())
                    .orElseThrow(() -> Problem.invalidAt(DELIVERY, "must be 1 to 200 visible ASCII characters"));
            JsonNode event = StrictObject.tree(body, "the body");
            return hook.mismatch(event)
                    .map(pointer -> Future.succeededFuture(Answer.ok(ignored(name, pointer))))
                    .orElseGet(() -> fire(
                            context, new FireSchedule(name, Fire.By.HOOK, Optional.of(delivery), hook.varsOf(event))));
        });
    }

    private static JsonNode ignored(String name, String pointer) {
        return Json.MAPPER
                .createObjectNode()
                .put("schedule", name)
                .put("outcome", "ignored")
                .put("message", "the value at " + pointer + " is not that of match");
    }

    private boolean isSigned(String name, Hook hook, byte[] body, String signature) {
        String secret = environment.apply(hook.secretEnv());
        if (secret == null || secret.isEmpty()) {
            LOG.warn("the hook of schedule {} is refused: {} is not set for this server", name, hook.secretEnv());
            return false;
        }
        String right = "sha256=" + HexFormat.of().formatHex(Sha256.hmac(secret, body));
        return MessageDigest.isEqual(bytes(right), bytes(signature == null ? "" : signature));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
