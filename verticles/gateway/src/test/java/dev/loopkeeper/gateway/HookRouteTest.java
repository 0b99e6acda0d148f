package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.contract.ScheduleChannels.FireSchedule;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.step.Sha256;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deliveries as GitHub sends them. The secret is the value of a variable that every process has. */
class HookRouteTest {
    private static final String SECRET = System.getenv("PATH");
    private static final String PUSH = "{\"ref\":\"refs/heads/main\",\"after\":\"4b825dc\"}";
    private static final String DELIVERY = "72d3162e-cc78-11e3-81ab-4c9367dc0958";

    @TempDir
    private Path data;

    private final List<FireSchedule> fired = new CopyOnWriteArrayList<>();
    private GatewayFixture fixture;

    @BeforeEach
    void open() throws Exception {
        Path tokens = Files.writeString(data.resolve("tokens"), "a-token-of-the-owner control\n");
        assertThat(tokens.toFile().setReadable(false, false) && tokens.toFile().setReadable(true, true))
                .isTrue();
        fixture = new GatewayFixture(
                data, options -> options.admitting(options.admission().tokens(Optional.of(tokens))));
        GatewayFixture.soon(ScheduleChannels.FIRE.serve(fixture.vertx.eventBus(), command -> {
            fired.add(command);
            Fire fire = Fire.due(
                    command.name(),
                    Instant.EPOCH,
                    command.key().orElseThrow(),
                    command.by(),
                    Optional.empty(),
                    command.vars());
            return Future.succeededFuture(RunAnswer.of(fire.started("run-1")));
        }));
        HttpResponse<Buffer> applied = GatewayFixture.soon(fixture.request(HttpMethod.PUT, "/policy")
                .putHeader("Authorization", "Bearer a-token-of-the-owner")
                .putHeader("Content-Type", "application/json")
                .sendBuffer(Buffer.buffer("{\"schedules\":[{\"name\":\"pushed\",\"manifest\":\"/m.yaml\",\"hook\":"
                        + "{\"secretEnv\":\"PATH\",\"match\":{\"/ref\":\"refs/heads/main\"},\"vars\":{\"SHA\":\"/after\"}}},"
                        + "{\"name\":\"nightly\",\"cron\":\"@daily\",\"manifest\":\"/m.yaml\"}]}")));
        assertThat(applied.statusCode()).as(applied.bodyAsString()).isEqualTo(200);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String signature(String secret, String body) {
        return "sha256=" + HexFormat.of().formatHex(Sha256.hmac(secret, body.getBytes(StandardCharsets.UTF_8)));
    }

    private HttpResponse<Buffer> deliver(String hook, String body, String signature, String delivery) {
        Map<String, String> headers = new HashMap<>();
        Optional.ofNullable(signature).ifPresent(value -> headers.put("X-Hub-Signature-256", value));
        Optional.ofNullable(delivery).ifPresent(value -> headers.put("X-GitHub-Delivery", value));
        return fixture.post("/hooks/" + hook, body, headers);
    }

    @Test
    void aSignedPushFiresWithItsDeliveryAsKeyWithoutAToken() {
        HttpResponse<Buffer> first = deliver("pushed", PUSH, signature(SECRET, PUSH), DELIVERY);
        HttpResponse<Buffer> repeated = deliver("pushed", PUSH, signature(SECRET, PUSH), DELIVERY);

        assertThat(first.statusCode()).as(first.bodyAsString()).isEqualTo(201);
        assertThat(repeated.bodyAsString()).isEqualTo(first.bodyAsString());
        FireSchedule expected =
                new FireSchedule("pushed", Fire.By.HOOK, Optional.of(DELIVERY), Map.of("SHA", "4b825dc"));
        assertThat(fired).containsExactly(expected, expected);
    }

    @ParameterizedTest
    @CsvSource({
        "pushed,  other secret",
        "pushed,  missing",
        "pushed,  empty",
        "pushed,  other body",
        "pushed,  upper case",
        "pushed,  truncated",
        "nightly, right",
        "absent,  right"
    })
    void aDeliveryThatIsNotSignedForItsHookIsRefused(String hook, String kind) {
        String right = signature(SECRET, PUSH);
        Map<String, String> signatures = Map.of(
                "right", right,
                "other secret", signature("guess", PUSH),
                "empty", "",
                "other body", signature(SECRET, PUSH + " "),
                "upper case", right.toUpperCase(Locale.ROOT),
                "truncated", right.substring(0, right.length() - 1));

        HttpResponse<Buffer> refused = deliver(hook, PUSH, signatures.get(kind), DELIVERY);

        assertThat(refused.statusCode()).isEqualTo(401);
        JsonNode problem = GatewayFixture.json(refused);
        assertThat(problem.path("code").asText()).isEqualTo("unauthorized");
        assertThat(refused.bodyAsString()).doesNotContain(SECRET, right);
        assertThat(fired).isEmpty();
    }

    @Test
    void aPushToAnotherBranchIsIgnored() {
        String other = PUSH.replace("main", "feature");

        HttpResponse<Buffer> answer = deliver("pushed", other, signature(SECRET, other), DELIVERY);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(GatewayFixture.json(answer).path("outcome").asText()).isEqualTo("ignored");
        assertThat(GatewayFixture.json(answer).path("message").asText()).contains("/ref");
        assertThat(fired).isEmpty();
    }

    @Test
    void aSignedBodyThatCannotBeReadOrHasNoDeliveryIsRefused() {
        String form = "payload=%7B%7D";

        assertThat(deliver("pushed", form, signature(SECRET, form), DELIVERY).statusCode())
                .isEqualTo(400);
        assertThat(deliver("pushed", PUSH, signature(SECRET, PUSH), null).statusCode())
                .isEqualTo(400);
        assertThat(fired).isEmpty();
    }

    @Test
    void anOversizedBodyIsRefusedBeforeItIsVerified() {
        String large = "{\"x\":\"" + "x".repeat(5 << 20) + "\"}";

        assertThat(deliver("pushed", large, signature(SECRET, large), DELIVERY).statusCode())
                .isEqualTo(413);
        assertThat(fired).isEmpty();
    }
}
