package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.FakeKeeper;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.data.ServerAddress;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.termination.RefusalCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StartingOwnerTest {
    @TempDir
    Path folder;

    private DataFolder data;

    @BeforeEach
    void prepare() {
        data = new DataFolder(folder.resolve("data")).prepare();
    }

    /** What a command does, if this happens as soon as it says anything to its user. */
    private Terminal.CommandOutput type(Runnable atFirstWord, String... words) {
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
        return new Terminal(data.path()).type(EmbeddedRoot::start, err, words);
    }

    /** A process that lives and has written its number into the lock. */
    private final class Owner implements AutoCloseable {
        private final Process process = new ProcessBuilder("cat").start();
        private final Path lock = Files.writeString(data.path().resolve("owner.lock"), process.pid() + "\n");

        Owner() throws IOException {}

        long pid() {
            return process.pid();
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    private void publish(String url, long pid) {
        data.serverFile().write(new ServerAddress(url, pid, Instant.now()));
    }

    private Path manifest() throws Exception {
        return Files.writeString(folder.resolve("m.yaml"), """
                name: x
                budget: {turns: 9}
                agents: {dev: {command: 'true', signal: none.json}}
                phases: [{name: only, task: dev}]
                """);
    }

    private void pausedRun() throws Exception {
        Path manifest = manifest();
        assertThat(new Terminal(data.path())
                        .type("run", manifest.toString(), "--run-id", "r")
                        .exitCode())
                .isEqualTo(4);
    }

    /** It was refused with 2, "in use by process N". */
    @ParameterizedTest
    @ValueSource(strings = {"stop", "resume"})
    void whatCouldBeDoneHereWaitsForTheAddress(String subcommand) throws Exception {
        pausedRun();
        try (FakeKeeper keeper = new FakeKeeper(folder.resolve("keeper"));
                OwnerLock owned = data.own()) {
            keeper.put("r", "running");
            keeper.refusal = question -> question instanceof GetRun
                    ? Optional.empty()
                    : Optional.of(new Refusal(RefusalCode.NOT_PAUSABLE, "the owner was asked to " + question));

            Terminal.CommandOutput result =
                    type(() -> publish(keeper.url, ProcessHandle.current().pid()), subcommand, "r");

            assertThat(result.err()).contains(data.path() + " but serves no URL", "the owner was asked to");
            assertThat(owned).isNotNull();
        }
    }

    @Test
    void whatCouldBeDoneHereIsDoneWhenTheOwnerEnds() throws Exception {
        pausedRun();
        OwnerLock owned = data.own();

        Terminal.CommandOutput result = type(owned::close, "stop", "r");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("error_operator_stop");
    }

    @Test
    void aStopWaitsNoLongerThanItMay() throws Exception {
        pausedRun();
        try (OwnerLock owned = data.own()) {
            Terminal.CommandOutput result = type(() -> {}, "stop", "r", "--timeout", "300ms");

            assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
            assertThat(result.err()).contains("in use by process", "submit MANIFEST");
            assertThat(owned).isNotNull();
        }
    }

    /** It was refused with 7, "no server serves". */
    @ParameterizedTest
    @CsvSource({"pause r", "kill r dev"})
    void whatNeedsTheOwnerWaitsForItsAddress(String line) throws Exception {
        try (Owner owner = new Owner();
                FakeKeeper keeper = new FakeKeeper(folder.resolve("keeper"))) {
            keeper.put("r", "running");

            Terminal.CommandOutput result = type(() -> publish(keeper.url, owner.pid()), line.split(" "));

            assertThat(result.err())
                    .contains("process " + owner.pid() + " has just started on " + data.path())
                    .doesNotContain("no server serves");
            assertThat(keeper.url).isNotEmpty();
        }
    }

    /** It was refused with 7, "no server serves". */
    @Test
    void aSubmissionWaitsForTheAddress() throws Exception {
        Path manifest = manifest();
        try (Owner owner = new Owner();
                FakeKeeper keeper = new FakeKeeper(folder.resolve("keeper"))) {
            keeper.refusal = question ->
                    Optional.of(new Refusal(RefusalCode.NOT_PAUSABLE, "the owner was asked to " + question));

            Terminal.CommandOutput result = type(() -> publish(keeper.url, owner.pid()), "submit", manifest.toString());

            assertThat(result.err())
                    .contains(
                            "process " + owner.pid() + " has just started on " + data.path(), "the owner was asked to");
        }
    }

    /** It ended with 7: "cannot change", or "there is no run" of one that was just being made. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWaitWaitsForTheAddress(boolean recorded) throws Exception {
        if (recorded) {
            pausedRun();
        }
        try (Owner owner = new Owner();
                FakeKeeper keeper = new FakeKeeper(folder.resolve("keeper"))) {
            keeper.put("r", "completed");

            Terminal.CommandOutput result = type(() -> publish(keeper.url, owner.pid()), "wait", "r", "--for", "ended");

            assertThat(result.err()).contains("process " + owner.pid() + " has just started on " + data.path());
            assertThat(result.out()).as(result.err()).contains("r is completed");
        }
    }

    @Test
    void aWaitForAnAddressHasItsTimeout() throws Exception {
        pausedRun();
        try (Owner owner = new Owner()) {
            Terminal.CommandOutput result = type(() -> {}, "wait", "r", "--for", "ended", "--timeout", "300ms");

            assertThat(result.exitCode()).as(result.err()).isEqualTo(124);
            assertThat(result.err()).contains("gave up waiting for r after", "process " + owner.pid() + " has");
        }
    }

    /** It said "no server serves; start one", which would be refused. */
    @ParameterizedTest
    @ValueSource(strings = {"pause r", "submit m.yaml", "ps"})
    void namesAnOwnerWithoutAServer(String line) throws Exception {
        Path manifest = manifest();
        // Of one that runs for longer than is waited.
        Path lock = Files.writeString(data.path().resolve("owner.lock"), "1\n");
        Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minusSeconds(40)));

        Terminal.CommandOutput result =
                type(() -> {}, line.replace("m.yaml", manifest.toString()).split(" "));

        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.err())
                .contains("process 1 owns " + data.path(), "end the process")
                .doesNotContain("no server serves");
    }

    /** It was refused after 5 s, where others wait for 30. */
    @Test
    void aRunWaitsForTheAddressWithTheSamePatience() throws Exception {
        Path manifest = manifest();
        try (FakeKeeper keeper = new FakeKeeper(folder.resolve("keeper"));
                OwnerLock owned = data.own()) {
            keeper.refusal = question ->
                    Optional.of(new Refusal(RefusalCode.NOT_PAUSABLE, "the owner was asked to " + question));

            Terminal.CommandOutput result =
                    type(() -> publish(keeper.url, ProcessHandle.current().pid()), "run", manifest.toString());

            assertThat(result.err()).contains(data.path() + " but serves no URL", "the owner was asked to");
            assertThat(owned).isNotNull();
        }
    }

    @Test
    void aPruneIsDoneWhenTheOwnerEnds() throws Exception {
        pausedRun();
        OwnerLock owned = data.own();

        Terminal.CommandOutput result = type(owned::close, "prune", "--yes");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()).contains("serves no URL", "no run ended long enough ago");
    }

    /** A lock that an owner left behind, whose number another process carries now. */
    @Test
    void aLockThatWasLeftIsNotWaitedFor() throws Exception {
        try (Owner other = new Owner()) {
            Files.setLastModifiedTime(other.lock, FileTime.from(Instant.now().minusSeconds(40)));

            Terminal.CommandOutput result = type(() -> {}, "pause", "r");

            assertThat(result.exitCode()).isEqualTo(7);
            assertThat(result.err()).contains("no server serves").doesNotContain("has just started on");
        }
    }
}
