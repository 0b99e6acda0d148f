package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.gateway.feed.FeedOptions;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionRoutesTest {
    private static final String READER = "reader-0123456789abcdef";
    private static final String OPERATOR = "operator-0123456789abcdef";

    @TempDir
    Path data;

    @Test
    void withoutTokensEverybodyMayDoEverything() {
        try (GatewayFixture fixture = GatewayFixture.plain(data)) {
            JsonNode session = GatewayFixture.json(fixture.get("/session"));

            assertThat(session.path("scopes")).hasToString("[\"read\",\"control\"]");
            assertThat(session.path("dataFolder").asText()).isEqualTo(data.toString());
            assertThat(session.path("maxRuns").isNull()).isTrue();
            assertThat(session.at("/limits/bodyBytes").asInt()).isEqualTo(4 << 20);
            assertThat(session.at("/limits/snapshotRuns").asInt()).isEqualTo(FeedOptions.DEFAULTS.snapshotRuns());
        }
    }

    @Test
    void reportsTheScopesOfAToken() throws IOException {
        Path tokens = Files.writeString(data.resolve("tokens"), READER + " read\n" + OPERATOR + " control\n");
        try (GatewayFixture fixture =
                new GatewayFixture(data, options -> options.on("127.0.0.1", Optional.of(tokens)))) {
            assertThat(fixture.get("/session").statusCode()).isEqualTo(401);
            assertThat(scopes(fixture, READER)).hasToString("[\"read\"]");
            assertThat(scopes(fixture, OPERATOR)).hasToString("[\"read\",\"control\"]");
        }
    }

    private static JsonNode scopes(GatewayFixture fixture, String token) {
        return GatewayFixture.json(GatewayFixture.soon(fixture.request(HttpMethod.GET, "/session")
                        .putHeader("Authorization", "Bearer " + token)
                        .send()))
                .path("scopes");
    }

    @Test
    void withoutAClusterThereIsOneNode() {
        try (GatewayFixture fixture = GatewayFixture.plain(data)) {
            JsonNode nodes = GatewayFixture.json(fixture.get("/nodes")).path("nodes");

            assertThat(nodes).hasSize(1);
            assertThat(nodes.get(0).path("node").asText()).isEqualTo("local");
            assertThat(nodes.get(0).path("state").asText()).isEqualTo("live");
            assertThat(nodes.get(0).path("url").asText()).isEqualTo("http://127.0.0.1:" + fixture.gateway.port());
            assertThat(nodes.get(0).path("runs").asInt()).isZero();
            assertThat(nodes.get(0).path("version").asText())
                    .isEqualTo(GatewayFixture.json(fixture.get("/session"))
                            .path("version")
                            .asText())
                    .matches("\\d.*");
        }
    }
}
