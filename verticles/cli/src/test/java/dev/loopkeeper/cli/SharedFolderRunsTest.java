package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs in the foreground that execute others too, or are executed by the owner of the data folder. */
class SharedFolderRunsTest {
    @TempDir
    private Path folder;

    private Path data;
    private Terminal terminal;

    @BeforeEach
    void open() {
        data = folder.resolve("data");
        terminal = new Terminal(data);
    }

    /** Ends as soon as there is a file {@code go-NAME}. */
    private String manifest(String name) throws IOException {
        String go = folder.resolve("go-" + name).toString();
        String agent = "{command: 'while [ ! -e " + go + " ]; do sleep 0.1; done'}";
        Path file = folder.resolve(name + ".yaml");
        Files.writeString(
                file, "name: x\nbudget: {turns: 9}\nagents: {dev: " + agent + "}\nphases: [{name: p, task: dev}]\n");
        return file.toString();
    }

    private void go(String name) throws IOException {
        Files.createFile(folder.resolve("go-" + name));
    }

    private String status(String runId) {
        Terminal.CommandOutput result = terminal.type("show", runId, "--json");
        return result.exitCode() == 0 ? result.json().path("status").asText() : result.err();
    }

    @Test
    void anOwnerStaysUntilItsRemoteRunHasEnded() throws IOException {
        RunningCommand own = terminal.begin("run", manifest("own"), "--run-id", "own");
        own.untilSaid("dev started");
        assertThat(terminal.type("submit", manifest("guest"), "--run-id", "guest")
                        .exitCode())
                .isZero();
        assertThat(terminal.type("submit", manifest("held"), "--run-id", "held", "--hold")
                        .exitCode())
                .isZero();

        go("own");
        own.untilSaid("waiting for guest, which was submitted to this process");
        assertThat(own.said()).contains("own is completed").doesNotContain("held");
        assertThat(status("guest")).isEqualTo("running");
        go("guest");

        assertThat(own.exitCode()).as(own.said()).isZero();
        assertThat(status("guest")).isEqualTo("completed");
        assertThat(status("held")).isEqualTo("queued");
    }

    @Test
    void theOwnerExecutesASecondRunThatTheCommandFollows() throws IOException {
        RunningCommand own = terminal.begin("run", manifest("own"), "--run-id", "own");
        own.untilSaid("dev started");
        RunningCommand second = terminal.begin("run", manifest("second"), "--run-id", "second");
        second.untilSaid("dev started");
        go("own");
        own.untilSaid("waiting for second");
        go("second");

        assertThat(second.exitCode()).as(second.said()).isZero();
        assertThat(second.said())
                .containsSubsequence("run second", "phase p (task)", "dev started", "dev exit 0", "second is completed")
                .doesNotContain("run own");
        assertThat(own.exitCode()).as(own.said()).isZero();
    }

    @Test
    void whatTheOwnerDecidesASecondRunCannot() throws IOException {
        RunningCommand own = terminal.begin("run", manifest("own"), "--run-id", "own");
        own.untilSaid("dev started");

        Terminal.CommandOutput refused =
                terminal.type("run", manifest("wrong"), "--run-id", "wrong", "--log-limit", "5");
        assertThat(refused.exitCode())
                .as("a limit that is none is refused here too")
                .isEqualTo(2);
        assertThat(refused.err()).contains("--log-limit must be 0, or a size");
        assertThat(status("wrong")).contains("there is no run wrong");

        RunningCommand second = terminal.begin("run", manifest("second"), "--run-id", "second", "--keep-logs", "9h");
        second.untilSaid("dev started");
        assertThat(second.said()).contains("--keep-logs has no effect here: the server at http://127.0.0.1:");
        go("own");
        go("second");
        assertThat(second.exitCode()).isZero();
        assertThat(own.exitCode()).isZero();
    }

    @Test
    void aSecondRunThatIsStoppedHasTheSameCodeAndHarmsNoOther() throws IOException {
        RunningCommand own = terminal.begin("run", manifest("own"), "--run-id", "own");
        own.untilSaid("dev started");
        RunningCommand second = terminal.begin("run", manifest("second"), "--run-id", "second");
        second.untilSaid("dev started");
        assertThat(terminal.type("stop", "second").exitCode()).isZero();

        assertThat(second.exitCode()).as(second.said()).isEqualTo(6);
        assertThat(status("own")).isEqualTo("running");
        assertThat(terminal.type("run", manifest("third"), "--run-id", "own").exitCode())
                .as("a refusal of the owner is one here too")
                .isEqualTo(2);
        go("own");
        assertThat(own.exitCode()).isZero();
    }

    /** It used to wait for the slot of its own step, and to survive a stop that killed its command. */
    @Test
    void aRunInsideAStepNeedsASlotAndIsStoppedWithItsOuterRun() throws Exception {
        Terminal inside = new Terminal(data);
        inside.environment.put("LOOPKEEPER_RUN_ID", "outer");
        try (RunningCommand server = terminal.begin("serve", "--port", "0", "--max-runs", "2")) {
            server.untilSaid("serves at");
            assertThat(terminal.type("submit", manifest("outer"), "--run-id", "outer")
                            .exitCode())
                    .isZero();
            RunningCommand inner = inside.begin("run", manifest("inner"), "--run-id", "inner");
            inner.untilSaid("dev started");

            Terminal.CommandOutput refused = inside.type("run", manifest("late"), "--run-id", "late");

            assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
            assertThat(refused.err()).contains("in a step of outer", "all run slots (2)", "--max-runs");
            assertThat(status("late")).contains("there is no run late");
            assertThat(terminal.type("stop", "outer", "--now").exitCode()).isZero();
            assertThat(inner.exitCode()).as(inner.said()).isEqualTo(6);
        }
    }
}
