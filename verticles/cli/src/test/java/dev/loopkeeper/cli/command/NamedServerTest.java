package dev.loopkeeper.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.Terminal;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.Gateway;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run} with a server that is named by {@code --server} or {@code LOOPKEEPER_SERVER}. */
class NamedServerTest {
    private static final String NOWHERE = "http://127.0.0.1:9";

    @TempDir
    Path folder;

    private String manifest() throws IOException {
        return Files.writeString(folder.resolve("m.yaml"), """
                name: x
                budget: {turns: 9}
                agents: {dev: {command: 'echo hi; exit 3'}}
                phases: [{name: p, task: dev}]
                """).toString();
    }

    @Test
    void theServerRunsTheManifestAndTheExitCodeIsThatOfTheRun() throws IOException {
        Path data = folder.resolve("served");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            Path own = folder.resolve("own");
            Terminal terminal = new Terminal(own);

            Terminal.CommandOutput typed = terminal.type("run", manifest(), "--run-id", "r1", "--server", keeper.url());
            terminal.environment.put("LOOPKEEPER_SERVER", keeper.url());
            Terminal.CommandOutput inherited = terminal.type("run", manifest(), "--run-id", "r2");

            assertThat(typed.exitCode()).as(typed.err()).isEqualTo(1);
            assertThat(typed.out()).contains("dev exit 3", "r1 is failed");
            assertThat(inherited.exitCode()).as(inherited.err()).isEqualTo(1);
            assertThat(terminal.type("show", "r2").out()).contains("r2 is failed");
            assertThat(own).doesNotExist();
        }
    }

    @Test
    void aServerThatCannotBeReachedStartsNothingHere() throws IOException {
        Path own = folder.resolve("own");

        Terminal.CommandOutput result = new Terminal(own).type("run", manifest(), "--server", NOWHERE);

        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.err()).contains(NOWHERE, "nothing was started");
        assertThat(own).doesNotExist();
    }

    @Test
    void serveTakesNoServer() {
        Terminal.CommandOutput result = new Terminal(folder.resolve("own")).type("serve", "--server", NOWHERE);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("serve starts a server and takes no --server");
    }
}
