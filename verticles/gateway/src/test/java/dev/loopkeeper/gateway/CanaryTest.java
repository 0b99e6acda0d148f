package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.process.InheritedEnvironment;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** A secret is sent along every way in; none of the ways out shows it. */
@Isolated("reads the log of the process, or changes what it has once")
class CanaryTest {
    private static final String TOKEN = "canary-token-0123456789";
    private static final String WRONG = "canary-wrong-0123456789";
    private static final String KEY = "canary-key-0123456789";

    @TempDir
    Path folder;

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger("dev.loopkeeper");

    @BeforeEach
    void recordLog() {
        logged.list = new CopyOnWriteArrayList<>();
        logged.start();
        root.addAppender(logged);
        root.setLevel(Level.DEBUG);
    }

    @AfterEach
    void stopListening() {
        root.detachAppender(logged);
        root.setLevel(null);
    }

    private static Map<String, String> bearer(String token) {
        return Map.of("Authorization", "Bearer " + token);
    }

    @Test
    void noSecretComesOut() throws IOException {
        Path data = folder.resolve("data");
        Path tokens = Files.writeString(folder.resolve("tokens"), TOKEN + " control\n");
        LoopkeeperOptions options = LoopkeeperOptions.of(data)
                .with(new Gateway(GatewayOptions.loopback(0, data).on("127.0.0.1", Optional.of(tokens))))
                .inheriting(new InheritedEnvironment(List.of("PATH")));
        List<String> lines = new ArrayList<>();
        try (Keeper keeper = new Keeper(data, folder.resolve("work"), options)) {
            keeper.script("dev.sh", "env | sort; test \"$API_KEY\" = " + KEY);
            WebApi api = WebApi.of(keeper);
            WebApi.Answer run = api.submit(manifest(), keeper.workspace(), bearer(TOKEN));
            String runId = run.body().path("runId").asText();
            keeper.untilEnded(runId);
            for (String view :
                    new String[] {"", "/checkpoint", "/events", "/explain", "/iterations", "/items", "/steps"}) {
                WebApi.Answer right = api.ask(HttpMethod.GET, "/runs/" + runId + view, bearer(TOKEN), "");
                assertThat(right.status()).isEqualTo(200);
                lines.add(right.text());
                lines.add(api.ask(HttpMethod.GET, "/runs/" + runId + view, bearer(WRONG), "")
                        .text());
            }
            assertThat(keeper.get(runId).path("status").asText()).isEqualTo("completed");
            lines.add(api.ask(HttpMethod.GET, "/metrics", bearer(TOKEN), "").text());
            lines.add(api.ask(HttpMethod.POST, "/runs", bearer(TOKEN), "{\"" + KEY + "x\":")
                    .text());
            lines.add(Files.readString(data.resolve("server.json")));
            String step = api.ask(HttpMethod.GET, "/runs/" + runId + "/steps", bearer(TOKEN), "")
                    .body()
                    .at("/steps/0/stepId")
                    .asText();
            assertThat(Files.readString(data.resolve("runs/" + runId + "/steps/" + step + "/stdout.log")))
                    .contains("API_KEY=" + KEY, "PATH=")
                    .doesNotContain("HOME=", TOKEN);
        }
        logged.list.forEach(event -> lines.add(event.getFormattedMessage()));
        assertThat(lines).allSatisfy(text -> assertThat(text).doesNotContain(TOKEN, WRONG, KEY));
    }

    private static String manifest() {
        return """
                name: canary
                env: {API_KEY: %s}
                agents: {dev: {command: ./dev.sh, env: {OTHER_KEY: %s}}}
                phases: [{name: build, task: dev}]
                """.formatted(KEY, KEY);
    }
}
