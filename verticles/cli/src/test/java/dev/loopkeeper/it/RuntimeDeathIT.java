package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of agents whose server is killed or drained, by what their manifest says. */
class RuntimeDeathIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String NASTY = """
            name: %1$s
            agents:
              dev:
                command: >-
                  trap '' TERM;
                  (setsid sh -c 'trap "" TERM HUP; while :; do : %1$s-mark; sleep 0.2; done' >/dev/null 2>&1 &);
                  sh -c 'while :; do : %1$s-mark; sleep 0.2; done' &
                  echo $$ > %1$s.pid; while [ ! -e %1$s.go ]; do : %1$s-mark; sleep 0.1; done; exit 7
                onRuntimeDeath: %1$s
                stop: {grace: 200ms}
            phases: [{name: work, task: dev}]
            """;

    @TempDir
    private Path folder;

    private Program server;
    private String keep;
    private String kill;

    @BeforeEach
    void startBoth() throws Exception {
        server = Program.serve(folder, folder.resolve("data"));
        Api api = Api.of(server);
        keep = api.submit(NASTY.formatted("keep"), folder);
        kill = api.submit(NASTY.formatted("kill"), folder);
        for (String role : new String[] {"keep", "kill"}) {
            Awaitility.await().atMost(SOON).until(() -> agent(role) > 0 && living(role) >= 3);
        }
    }

    @AfterEach
    void endServer() throws Exception {
        Files.writeString(folder.resolve("keep.go"), "");
        Files.writeString(folder.resolve("kill.go"), "");
        server.close();
        for (String process : Processes.with("-mark")) {
            long pid = Long.parseLong(process.split(" ", 2)[0]);
            if (Processes.environment(pid).contains(folder.toString())) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    private long agent(String role) throws IOException {
        Path file = folder.resolve(role + ".pid");
        return Files.exists(file) && Files.readString(file).endsWith("\n")
                ? Long.parseLong(Files.readString(file).strip())
                : 0;
    }

    /** Those of the role's tree, by their own words, without launchers. */
    private long living(String role) throws IOException {
        return Processes.with("LOOPKEEPER_DATA=" + folder.resolve("data")).stream()
                .filter(process -> process.contains(role + "-mark") && !process.contains("/launcher/launcher-"))
                .count();
    }

    @Test
    void aKillEndsAgentsThatDieWithTheRuntimeAndKeepsOthers() throws Exception {
        long agent = agent("keep");
        server.kill();

        Awaitility.await().atMost(SOON).until(() -> living("kill") == 0);
        assertThat(living("keep")).isGreaterThanOrEqualTo(3);

        server = Program.serve(folder, folder.resolve("data"));
        Api next = Api.of(server);
        JsonNode adopted = next.get("/runs/" + keep + "/steps").path("steps").path(0);
        assertThat(adopted.path("pid").asLong()).isEqualTo(agent);
        JsonNode stranded = next.until(kill, "paused", "stopped", "failed", "completed");
        assertThat(stranded.path("status").asText()).as(stranded.toString()).isEqualTo("paused");
        assertThat(next.get("/runs/" + kill + "/steps")
                        .at("/steps/0/result/termination")
                        .asText())
                .isEqualTo("error_crashed");
        assertThat(next.get("/runs/" + kill + "/steps")
                        .at("/steps/0/result/errorContext/category")
                        .asText())
                .isEqualTo("aborted");
        Files.createFile(folder.resolve("keep.go"));
        JsonNode ended = next.until(keep, "paused", "stopped", "failed", "completed");
        assertThat(ended.path("status").asText()).isEqualTo("failed");
        assertThat(next.get("/runs/" + keep + "/steps")
                        .at("/steps/0/result/exitCode")
                        .asInt())
                .isEqualTo(7);
        Awaitility.await().atMost(SOON).until(() -> living("keep") == 0);
    }

    @Test
    void aDrainOnTermStopsWhatIsToDieAndLeavesWhatIsKeptToTheNext() throws Exception {
        long agent = agent("keep");
        server.terminate();
        assertThat(server.join().exitCode()).isEqualTo(143);

        assertThat(living("kill")).isZero();
        assertThat(living("keep")).isGreaterThanOrEqualTo(3);

        server = Program.serve(folder, folder.resolve("data"));
        Api next = Api.of(server);
        JsonNode interrupted = next.get("/runs/" + kill);
        assertThat(interrupted.at("/termination/subtype").asText()).isEqualTo("error_interrupted");
        JsonNode adopted = next.get("/runs/" + keep + "/steps").path("steps").path(0);
        assertThat(adopted.path("pid").asLong()).isEqualTo(agent);
        assertThat(adopted.path("status").asText()).isEqualTo("running");
        Files.createFile(folder.resolve("keep.go"));
        assertThat(next.until(keep, "failed", "paused", "stopped")
                        .path("status")
                        .asText())
                .isEqualTo("failed");
        assertThat(living("keep")).isZero();
    }
}
