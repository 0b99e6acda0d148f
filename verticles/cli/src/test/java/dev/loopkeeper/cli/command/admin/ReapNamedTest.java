package dev.loopkeeper.cli.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.Terminal;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.Gateway;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ps} and {@code reap} of one run or workspace. */
class ReapNamedTest {
    private static final String SLEEPER = """
            name: sleeper
            agents: {dev: {command: "exec sleep 300", timeout: 10m}}
            phases: [{name: p, task: dev}]
            """;

    @TempDir
    Path folder;

    @Test
    void livingAgentsAreListedAndEndedWhereTheyAreNamed() throws IOException {
        Path data = folder.resolve("data");
        Path workspace = folder.resolve("workspace");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        try (Keeper keeper = new Keeper(data, workspace, options)) {
            String runId = keeper.start(SLEEPER);
            Terminal terminal = new Terminal(data);
            Awaitility.await()
                    .until(() -> terminal.type("ps", "--run", runId).out().contains("exec sleep 300"));

            assertThat(terminal.type("ps", "--workspace", workspace.toString()).out())
                    .contains(runId);
            assertThat(terminal.type("ps", "--workspace", folder.toString()).out())
                    .doesNotContain(runId);
            assertThat(terminal.type("reap").out()).isEqualTo("no orphaned processes\n");
            Terminal.CommandOutput listed = terminal.type("reap", "--run", runId);
            assertThat(listed.out()).contains("agent ", runId);
            assertThat(listed.err()).contains("no process was ended", "reap --run " + runId + " --yes");
            assertThat(terminal.type("ps").out()).contains(runId);

            Terminal.CommandOutput reaped = terminal.type("reap", "--workspace", workspace.toString(), "--yes");

            assertThat(reaped.exitCode()).as(reaped.err()).isZero();
            assertThat(terminal.type("ps").out()).doesNotContain(runId);
            assertThat(keeper.until(runId, "failed", "paused").path("status").asText())
                    .isEqualTo("failed");
        }
    }
}
