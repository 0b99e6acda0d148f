package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A receipt names who requested the end of the processes, whatever the request was. */
class ReceiptsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String SLEEPER = """
            name: sleeper
            agents:
              dev: {command: [sleep, "600"]}
            phases:
              - {name: one, task: dev}
            """;

    @TempDir
    private Path folder;

    private Keeper keeper;

    @BeforeEach
    void startKeeper() throws IOException {
        keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"));
    }

    @AfterEach
    void closeKeeper() {
        keeper.close();
    }

    @Test
    void namesWhoStoppedTheRun() throws IOException {
        String runId = running();

        ask(RunChannels.STOP, new StopRun(runId, Optional.empty(), true, "alice"));

        assertThat(receipt(runId).path("by").asText()).isEqualTo("alice");
    }

    @Test
    void namesWhoKilledTheRole() throws IOException {
        String runId = running();

        RunAnswer answer = ask(RunChannels.KILL, new KillRole(runId, "dev", true, "bob"));

        assertThat(answer.document().orElseThrow().path("by").asText()).isEqualTo("bob");
        assertThat(receipt(runId).path("by").asText()).isEqualTo("bob");
    }

    private String running() {
        String runId = keeper.start(SLEEPER);
        Awaitility.await()
                .atMost(SOON)
                .until(() -> keeper.steps(runId).path(0).path("pid").isIntegralNumber());
        return runId;
    }

    private <Q extends Record> RunAnswer ask(RequestChannel<Q, RunAnswer> channel, Q question) {
        return Keeper.await(channel.ask(keeper.vertx().eventBus(), question, SOON));
    }

    private JsonNode receipt(String runId) throws IOException {
        Awaitility.await().atMost(SOON).until(() -> !keeper.receipts(runId).isEmpty());
        return Json.MAPPER.readTree(keeper.receipts(runId).get(0));
    }
}
