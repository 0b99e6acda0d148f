package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.RunningCommand;
import dev.loopkeeper.cli.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two {@code run} commands on one data folder. What is ended or halted is a real process; a command that only has to see
 * that is typed here.
 */
@Execution(ExecutionMode.CONCURRENT)
class SecondRunIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    private String data;

    @BeforeEach
    void name() {
        data = folder.resolve("data").toString();
    }

    private String manifest(String name) throws Exception {
        Path go = pipe("go-" + name);
        Path manifest = folder.resolve(name + ".yaml");
        Files.writeString(manifest, """
                name: x
                budget: {turns: 9}
                agents: {dev: {command: 'read word < %s'}}
                phases: [{name: p, task: dev}]
                """.formatted(go));
        return manifest.toString();
    }

    private Program run(String name) throws Exception {
        Program program = Program.start(folder, Map.of(), "run", manifest(name), "--run-id", name, "--data", data);
        Awaitility.await().atMost(SOON).until(() -> program.output().contains("dev started"));
        return program;
    }

    private RunningCommand type(String name) throws Exception {
        RunningCommand typed = new Terminal(Path.of(data)).begin("run", manifest(name), "--run-id", name);
        typed.untilSaid("dev started");
        return typed;
    }

    /** An agent that reads from it waits without the processor. */
    private Path pipe(String name) throws Exception {
        Path pipe = folder.resolve(name);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        return pipe;
    }

    /** Lets the agent end. A pipe that no agent reads blocks who opens it, so another process does. */
    private void go(String name) throws Exception {
        Path pipe = folder.resolve("go-" + name);
        Process writer = new ProcessBuilder("sh", "-c", "echo on > \"$0\"", pipe.toString()).start();
        boolean read = writer.waitFor(SOON.toSeconds(), TimeUnit.SECONDS);
        writer.destroyForcibly();
        assertThat(read)
                .as(() -> "no agent reads " + pipe + ": " + show("runs"))
                .isTrue();
    }

    private String show(String... words) {
        Terminal.CommandOutput result = new Terminal(Path.of(data)).type(words);
        return result.out() + result.err();
    }

    @Test
    void aSignalToTheSecondRunStopsItsOwnRunAndNoOther() throws Exception {
        try (RunningCommand own = type("own");
                Program second = run("second")) {
            second.terminate();

            assertThat(second.join().exitCode()).as(second.output()).isEqualTo(143);
            assertThat(show("show", "second")).contains("second is stopped", "error_operator_stop");
            assertThat(show("show", "own")).contains("own is running");
            assertThat(show("runs")).contains("own", "running", "stopped");
            assertThat(show("schedules", "run", "nightly")).contains("fires no schedule", "loopkeeper serve");
            go("own");
            assertThat(own.exitCode()).as(own.said()).isZero();
        }
    }

    /** The account and the tools of the first person used to be those of the second. */
    @Test
    void theAgentsOfASecondRunHaveItsEnvironmentAndUmask() throws Exception {
        Path manifest = folder.resolve("second.yaml");
        Files.writeString(manifest, """
                name: x
                agents: {dev: {command: 'echo "key=$API_KEY mask=$(umask)$LOOPKEEPER_UMASK"; [ -e ok ]'}}
                phases: [{name: p, task: dev}]
                """);
        List<String> withUmask = List.of("sh", "-c", "umask 057; exec \"$@\"", "sh");
        try (RunningCommand own = type("own");
                Program second = Program.start(
                        withUmask,
                        folder,
                        Map.of("API_KEY", "of-the-second"),
                        "run",
                        manifest.toString(),
                        "--run-id",
                        "second",
                        "--data",
                        data)) {
            Program.Result ended = second.join();

            assertThat(ended.exitCode()).as(second.output()).isEqualTo(1);
            assertThat(ended.stderr()).contains("executes the run, with the environment and umask of this command");
            assertThat(show("logs", "second")).contains("key=of-the-second mask=0057");
            go("own");
            assertThat(own.exitCode()).as(own.said()).isZero();
            Files.createFile(folder.resolve("ok"));
            assertThat(show("resume", "second")).contains("second is completed");
            assertThat(show("explain", "second"))
                    .contains("agents have the environment and umask of the command", "are no longer in memory");
        }
    }

    @Test
    void theFollowingProcessContinuesARunWhoseOwnerWasKilled() throws Exception {
        try (Program own = run("own");
                RunningCommand second = type("second")) {
            own.kill();

            second.untilSaid("this process continues second");
            go("second");
            second.untilSaid("waiting for own");
            go("own");
            assertThat(second.exitCode()).as(second.said()).isZero();
            assertThat(show("show", "own")).contains("own is completed");
        }
    }

    @Test
    void oneOfTwoFollowersBecomesTheOwner() throws Exception {
        try (Program own = run("own");
                RunningCommand second = type("second");
                Program third = run("third")) {
            own.kill();

            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> (second.said() + third.output()).contains("this process continues"));
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> (second.said() + third.output()).contains("another process executes"));
            go("own");
            go("second");
            go("third");
            assertThat(second.exitCode()).as(second.said()).isZero();
            assertThat(third.join().exitCode()).as(third.output()).isZero();
            assertThat(second.said()).containsOnlyOnce("dev started").contains("second is completed");
            assertThat(third.output()).containsOnlyOnce("dev started").contains("third is completed");
            assertThat(show("show", "own")).contains("own is completed");
        }
    }

    @Test
    void aRestartedServerOwnsItsFolderAgain() throws Exception {
        Path folderOfServer = Path.of(data);
        Program first = Program.serve(folder, folderOfServer);
        Awaitility.await().atMost(SOON).until(() -> first.firstLine().contains("serves at"));
        try (Program remote = run("remote")) {
            first.terminate();
            assertThat(first.join().exitCode()).isEqualTo(143);
            Awaitility.await().atMost(SOON).until(() -> remote.output().contains("has ended; unless"));
            // Halted, so that it does not matter how long the next server takes to start on a machine in use.
            remote.signal("STOP");
            try (Program again = Program.serve(folder, folderOfServer)) {
                Awaitility.await().atMost(SOON).until(() -> again.firstLine().contains("serves at"));
                remote.signal("CONT");
                Awaitility.await()
                        .atMost(SOON)
                        .until(() -> remote.output().contains("another process executes remote"));
                go("remote");
                assertThat(remote.join().exitCode()).as(remote.output()).isZero();
                assertThat(again.isAlive()).isTrue();
            }
        } finally {
            first.close();
        }
    }

    /** It was started a second time, or refused as being there already. */
    @ParameterizedTest
    @ValueSource(strings = {"", "--run-id remote"})
    void aRunThatAnOwnerRecordedBeforeItDiedIsNotStartedAgain(String id) throws Exception {
        Path folderOfServer = Path.of(data);
        Path go = pipe("go-once");
        Path manifest = Files.writeString(folder.resolve("once.yaml"), """
                name: x
                budget: {turns: 9}
                agents: {dev: {command: 'echo launched >> launches; read word < %s'}}
                phases: [{name: p, task: dev}]
                """.formatted(go));
        try (Program server = Program.serve(folder, folderOfServer);
                LostAnswer between = new LostAnswer(server)) {
            Awaitility.await().atMost(SOON).until(() -> server.firstLine().contains("serves at"));
            between.standBefore(folderOfServer);
            List<String> words = new ArrayList<>(List.of("run", manifest.toString()));
            words.addAll(id.isEmpty() ? List.of() : List.of(id.split(" ")));
            try (RunningCommand run = new Terminal(folderOfServer).begin(words.toArray(String[]::new))) {
                Awaitility.await().atMost(SOON).until(() -> !between.isOpen());
                go("once");

                assertThat(run.exitCode()).as(run.said()).isZero();
                assertThat(show("runs")).containsOnlyOnce("completed");
                assertThat(folder.resolve("launches")).hasContent("launched");
            }
        }
    }

    @Test
    void anInterruptedFollowerStopsARunWithoutAnOwner() throws Exception {
        try (Program own = run("own");
                Program second = run("second")) {
            own.kill();
            Awaitility.await().atMost(SOON).until(() -> second.output().contains("has ended; unless"));
            second.terminate();

            assertThat(second.join().exitCode()).as(second.output()).isEqualTo(143);
            assertThat(second.output()).contains("second is stopped");
            assertThat(show("show", "second")).contains("second is stopped", "error_interrupted");
            assertThat(show("show", "own")).contains("own is running");
            try (RunningCommand next = new Terminal(Path.of(data)).begin("resume", "own")) {
                next.untilSaid("no process executed own; this command continues it");
                go("own");
                assertThat(next.exitCode()).as(next.said()).isZero();
            }
        }
    }

    @Test
    void aSignalDuringAWaitForRemoteRunsKeepsTheOwnRun() throws Exception {
        Path go = pipe("go-asks");
        Path manifest = Files.writeString(folder.resolve("asks.yaml"), """
                name: x
                budget: {turns: 9}
                agents: {dev: {command: 'read word < %s', signal: s.json}}
                phases: [{name: p, task: dev}]
                """.formatted(go));
        try (Program own =
                Program.start(folder, Map.of(), "run", manifest.toString(), "--run-id", "own", "--data", data)) {
            Awaitility.await().atMost(SOON).until(() -> own.output().contains("dev started"));
            try (RunningCommand second = type("second")) {
                go("asks");
                Awaitility.await().atMost(SOON).until(() -> own.output().contains("waiting for second"));
                own.terminate();

                assertThat(own.join().exitCode()).isEqualTo(143);
                assertThat(own.output()).doesNotContain("stopping own");
                assertThat(show("show", "own")).contains("own is paused");
                go("second");
                assertThat(second.exitCode()).as(second.said()).isZero();
            }
        }
    }

    @Test
    void showsARunWithoutAnOwner() throws Exception {
        try (Program own = run("own")) {
            own.kill();

            assertThat(show("runs")).contains("no process executes it", "loopkeeper serve");
            assertThat(show("show", "own")).contains("no process executes this run", "loopkeeper resume own");
            assertThat(show("explain", "own")).contains("no process executes this run");
        }
        try (RunningCommand next = new Terminal(Path.of(data)).begin("resume", "own")) {
            next.untilSaid("no process executed own; this command continues it");
            go("own");
            assertThat(next.exitCode()).as(next.said()).isZero();
        }
    }
}
