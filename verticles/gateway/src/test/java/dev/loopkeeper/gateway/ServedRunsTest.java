package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole thing over HTTP. */
class ServedRunsTest {
    private static final String QUICK =
            "name: quick\nagents: {dev: {command: ['true']}}\nphases: [{name: a, task: dev}]\n";

    @TempDir
    Path folder;

    private Keeper keeper;
    private WebApi api;

    @BeforeEach
    void serve() throws IOException {
        Path data = folder.resolve("data");
        keeper = new Keeper(
                data,
                folder.resolve("work"),
                LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data))));
        api = WebApi.of(keeper);
    }

    @AfterEach
    void end() {
        keeper.close();
    }

    @Test
    void aRepeatedKeyMakesOneRunAndAnotherRequestWithItIsRefused() {
        Map<String, String> key = Map.of("Idempotency-Key", "once");
        WebApi.Answer first = api.submit(QUICK, keeper.workspace(), key);
        WebApi.Answer again = api.submit(QUICK, keeper.workspace(), key);
        WebApi.Answer other = api.submit(QUICK.replace("quick", "other"), keeper.workspace(), key);
        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body().path("runId")).isEqualTo(first.body().path("runId"));
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.code()).isEqualTo("idempotency-key-reused");
        assertThat(other.body().path("runId")).isEqualTo(first.body().path("runId"));
        assertThat(api.get("/runs").body().path("runs")).hasSize(1);
    }

    @Test
    void everyViewOfARunIsAsTheDocumentSays() {
        String runId = api.submit(QUICK, keeper.workspace(), Map.of())
                .body()
                .path("runId")
                .asText();
        keeper.untilEnded(runId);
        for (String view :
                new String[] {"", "/checkpoint", "/events", "/explain", "/iterations", "/items", "/receipts", "/steps"
                }) {
            assertThat(api.get("/runs/" + runId + view).status()).as(view).isEqualTo(200);
        }
        String step = api.get("/runs/" + runId + "/steps")
                .body()
                .at("/steps/0/stepId")
                .asText();
        assertThat(api.get("/runs/" + runId + "/steps/" + step).status()).isEqualTo(200);
        assertThat(api.get("/runs/" + runId + "/steps/" + step + "/log").status())
                .isEqualTo(200);
        assertThat(api.post("/runs/" + runId + "/stop", "{}").status()).isEqualTo(202);
        assertThat(api.post("/runs/" + runId + "/pause", "{}").code()).isEqualTo("not-pausable");
        assertThat(api.post("/runs/" + runId + "/resume", "{}").code()).isEqualTo("not-resumable");
        assertThat(api.get("/processes").status()).isEqualTo(200);
        assertThat(api.post("/processes/reap", "{\"dryRun\":true}").status()).isEqualTo(200);
        assertThat(api.get("/metrics").status()).isEqualTo(200);
    }
}
