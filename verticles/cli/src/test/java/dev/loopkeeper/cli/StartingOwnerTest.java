package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.FakeKeeper;
import dev.loopkeeper.contract.run.GetRun;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.data.ServerAddress;
import dev.loopkeeper.rules.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process has the data folder, and serves its address only later: from the lock to that it is seconds on a busy machine. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StartingOwnerTest {
    @TempDir
    Path folder;

    private DataFolder data;

    @BeforeEach
    void prepare() {
        data = new DataFolder(folder.resolve("data")).prepare();
    }

    /** What a command does, if this happens as soon as it says anything to its user. */
    private Terminal.Said type(Runnable atFirstWord, String... words) {
        Terminal terminal = new Terminal(data.path());
        terminal.environment.put("LOOPKEEPER_DATA", data.path().toString());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream() {
            private boolean said;

            @Override
            public synchronized void write(byte[] bytes, int from, int length) {
                super.write(bytes, from, length);
                if (!said) {
                    said = true;
                    atFirstWord.run();
                }
            }
        };
        int exitCode = new CommandRunner(
                        terminal.console(
                                new PrintStream(out, true, StandardCharsets.UTF_8),
                                new PrintStream(err, true, StandardCharsets.UTF_8)),
                        EmbeddedRoot::start)
                .run(words);
        return new Terminal.Said(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private void publish(String url, long pid) {
        data.serverFile().write(new ServerAddress(url, pid, Instant.now()));
    }

    private void pausedRun() throws Exception {
        Path manifest = Files.writeString(folder.resolve("m.yaml"), """
                name: x
                agents: {dev: {command: 'true', signal: none.json}}
                phases: [{name: only, task: dev}]
                """);
        assertThat(new Terminal(data.path())
                        .type("run", manifest.toString(), "--run-id", "r")
                        .exitCode())
                .isEqualTo(4);
    }

    /** It was refused with 2, "in use by process N". */
    @ParameterizedTest
    @ValueSource(strings = {"stop", "resume"})
    void whatCouldBeDoneHereWaitsForTheAddress(String verb) throws Exception {
        pausedRun();
        try (FakeKeeper keeper = new FakeKeeper(folder.resolve("keeper"));
                OwnerLock owned = data.own()) {
            keeper.put("r", "running");
            keeper.refusal = question -> question instanceof GetRun
                    ? Optional.empty()
                    : Optional.of(new Refusal("not-now", "the owner was asked to " + question));

            Terminal.Said said =
                    type(() -> publish(keeper.url, ProcessHandle.current().pid()), verb, "r");

            assertThat(said.err()).contains(data.path() + " and serves no address", "the owner was asked to");
            assertThat(owned).isNotNull();
        }
    }

    @Test
    void whatCouldBeDoneHereIsDoneWhenTheOwnerEnds() throws Exception {
        pausedRun();
        OwnerLock owned = data.own();

        Terminal.Said said = type(owned::close, "stop", "r");

        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out()).contains("error_operator_stop");
    }

    @Test
    void aStopWaitsNoLongerThanItMay() throws Exception {
        pausedRun();
        try (OwnerLock owned = data.own()) {
            Terminal.Said said = type(() -> {}, "stop", "r", "--timeout", "300ms");

            assertThat(said.exitCode()).as(said.err()).isEqualTo(2);
            assertThat(said.err()).contains("in use by process");
            assertThat(owned).isNotNull();
        }
    }

    /** It was refused with 7, "no server serves". */
    @ParameterizedTest
    @CsvSource({"pause r", "kill r dev"})
    void whatNeedsTheOwnerWaitsForItsAddress(String line) throws Exception {
        Process owner = new ProcessBuilder("cat").start();
        try (FakeKeeper keeper = new FakeKeeper(folder.resolve("keeper"))) {
            keeper.put("r", "running");
            Files.writeString(data.path().resolve("owner.lock"), owner.pid() + "\n");

            Terminal.Said said = type(() -> publish(keeper.url, owner.pid()), line.split(" "));

            assertThat(said.err())
                    .contains("process " + owner.pid() + " has just taken " + data.path())
                    .doesNotContain("no server serves");
            assertThat(keeper.url).isNotEmpty();
        } finally {
            owner.destroyForcibly().onExit().join();
        }
    }

    /** A lock that an owner left behind, whose number another process carries now. */
    @Test
    void aLockThatWasLeftIsNotWaitedFor() throws Exception {
        Process other = new ProcessBuilder("cat").start();
        try {
            Path lock = Files.writeString(data.path().resolve("owner.lock"), other.pid() + "\n");
            Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minusSeconds(40)));

            Terminal.Said said = type(() -> {}, "pause", "r");

            assertThat(said.exitCode()).isEqualTo(7);
            assertThat(said.err()).contains("no server serves").doesNotContain("has just taken");
        } finally {
            other.destroyForcibly().onExit().join();
        }
    }
}
