package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.work.Workers;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpRequest;
import io.vertx.ext.web.client.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients read and replace the policy, each change against the version that they know. */
class PolicyRoutesTest {
    private static final String POOL = "{\"pools\":{\"claude-max\":{\"places\":3,\"programs\":[\"claude\"]}}}";
    private static final String OTHER = "{\"pools\":{\"codex\":{\"places\":1}}}";

    @TempDir
    private Path data;

    private GatewayFixture fixture;

    @BeforeEach
    void open() {
        fixture = GatewayFixture.plain(data);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private HttpResponse<Buffer> put(String body) {
        return send(fixture.request(HttpMethod.PUT, "/policy"), body);
    }

    private HttpResponse<Buffer> put(String body, String ifMatch) {
        return send(fixture.request(HttpMethod.PUT, "/policy").putHeader("If-Match", ifMatch), body);
    }

    private static HttpResponse<Buffer> send(HttpRequest<Buffer> request, String body) {
        return GatewayFixture.soon(
                request.putHeader("Content-Type", "application/json").sendBuffer(Buffer.buffer(body)));
    }

    private static void isRefused(HttpResponse<Buffer> answer, int status, String code) {
        assertThat(answer.statusCode()).as(answer.bodyAsString()).isEqualTo(status);
        assertThat(GatewayFixture.json(answer).path("code").asText()).isEqualTo(code);
    }

    @Test
    void aServerWithoutAPolicyHasVersionZero() {
        HttpResponse<Buffer> answer = fixture.get("/policy");

        assertThat(answer.bodyAsString()).isEqualTo("{\"policy\":{},\"version\":0}");
        assertThat(answer.getHeader("ETag")).isEqualTo("\"0\"");
    }

    @Test
    void theCapsHaveTheirUseAndTheirWindow() {
        assertThat(fixture.get("/caps").bodyAsString()).isEqualTo("{\"caps\":[]}");
        put("{\"caps\": [{\"name\": \"night\", \"tokens\": 50, \"per\": \"day\"}]}");

        JsonNode cap = GatewayFixture.json(fixture.get("/caps")).path("caps").path(0);

        assertThat(cap.path("name").asText()).isEqualTo("night");
        assertThat(cap.path("per").asText()).isEqualTo("day");
        assertThat(cap.path("tokens")).hasToString("{\"limit\":50,\"spent\":0}");
        assertThat(cap.path("costUsd").path("limit").isNull()).isTrue();
        assertThat(Duration.between(
                        Instant.parse(cap.path("windowStart").asText()),
                        Instant.parse(cap.path("windowEnd").asText())))
                .isEqualTo(Duration.ofDays(1));
    }

    @Test
    void thePoolsHaveTheirUseAndACoolDownIsClearedByName() {
        assertThat(fixture.get("/pools").bodyAsString()).isEqualTo("{\"pools\":[]}");
        put(POOL);
        String pool = "{\"name\":\"claude-max\",\"places\":3,\"used\":0,\"waiting\":0,\"coolUntil\":null,"
                + "\"reason\":null,\"since\":null,\"runId\":null,\"stepId\":null,\"queue\":[]}";

        assertThat(fixture.get("/pools").bodyAsString()).isEqualTo("{\"pools\":[" + pool + "]}");
        assertThat(GatewayFixture.soon(fixture.request(HttpMethod.POST, "/pools/claude-max/clear")
                                .send())
                        .bodyAsString())
                .isEqualTo(pool);
        isRefused(
                GatewayFixture.soon(
                        fixture.request(HttpMethod.POST, "/pools/claud/clear").send()),
                404,
                "not-found");
    }

    @Test
    void aPolicyIsReadAsItWasWritten() {
        HttpResponse<Buffer> answer = put(POOL);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.bodyAsString()).isEqualTo("{\"policy\":" + POOL + ",\"version\":1}");
        assertThat(answer.getHeader("ETag")).isEqualTo("\"1\"");
        assertThat(fixture.get("/policy").bodyAsString()).isEqualTo(answer.bodyAsString());
    }

    @Test
    void withoutAVersionTheLastPolicyWins() {
        put(POOL);

        assertThat(GatewayFixture.json(put(OTHER)).path("version").asInt()).isEqualTo(2);
        assertThat(GatewayFixture.json(put(OTHER, "*")).path("version").asInt()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"0\"", "\"7\"", "W/\"1\"", "1", "\"x\""})
    void aPolicyOfAnotherVersionIsNotReplaced(String version) {
        put(POOL, "\"0\"");

        isRefused(put(OTHER, version), 412, "policy-changed");
        assertThat(fixture.get("/policy").bodyAsString()).contains("claude-max");
        assertThat(put(OTHER, "\"1\"").statusCode()).isEqualTo(200);
    }

    @Test
    void anInvalidPolicyIsRefusedWithItsPositionsAndChangesNothing() {
        HttpResponse<Buffer> answer = put("{\"pools\":{\"a\":{\"place\":1}},\"caps\":[{}]}");

        isRefused(answer, 400, "invalid-policy");
        JsonNode first = GatewayFixture.json(answer).path("errors").path(0);
        assertThat(first.path("path").asText()).isEqualTo("pools.a.place");
        assertThat(first.path("suggestion").asText()).isEqualTo("places");
        assertThat(GatewayFixture.json(answer).path("errors")).hasSizeGreaterThan(1);
        assertThat(GatewayFixture.json(fixture.get("/policy")).path("version").asInt())
                .isZero();
    }

    @Test
    void anEmptyBodyDoesNotRemoveThePolicy() {
        put(POOL);

        isRefused(put(" "), 400, "invalid-request");
        isRefused(put("{"), 400, "invalid-policy");
        assertThat(GatewayFixture.json(put("{}")).path("policy")).isEmpty();
    }

    @Test
    void aPoolThatThePolicyDoesNotHaveIsRefused() {
        Submissions submissions = Submissions.on(fixture.vertx, Workers.of(fixture.vertx, "check", 1), Map.of());
        fixture.intake = submissions::fromDocument;
        String check = "{\"workspace\":\"" + data + "\",\"manifest\":\"name: x\\nagents:\\n  a: {command: [x], pool:"
                + " claude-mx}\\nphases: [{name: p, task: a}]\\n\"}";

        JsonNode without = GatewayFixture.json(fixture.post("/manifests/check", check));
        put(POOL);
        JsonNode with = GatewayFixture.json(fixture.post("/manifests/check", check));

        assertThat(without.path("errors")).isEmpty();
        assertThat(without.path("warnings").toString()).contains("agents.a.pool", "has no pool \\\"claude-mx\\\"");
        JsonNode error = with.path("errors").path(0);
        assertThat(error.path("path").asText()).isEqualTo("agents.a.pool");
        assertThat(error.path("line").asInt()).isEqualTo(3);
        assertThat(error.path("suggestion").asText()).isEqualTo("claude-max");
    }
}
