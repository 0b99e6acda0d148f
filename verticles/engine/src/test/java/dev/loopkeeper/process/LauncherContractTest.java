package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.process.tree.Cgroup;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.ProcFs;
import dev.loopkeeper.process.tree.ProcessStat;
import dev.loopkeeper.process.tree.Signals;
import dev.loopkeeper.process.tree.SupervisorHarness;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every launcher does, word for word and note for note: the native one and the script. */
class LauncherContractTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String NONCE = "nonce-of-this-step";

    /** Those there are. */
    enum Kind {
        NATIVE,
        SCRIPT;

        List<String> words(Path data) throws IOException {
            if (this == SCRIPT) {
                return new LauncherScript(data).words();
            }
            Optional<ProgramFile> program = NativeLauncher.of(data);
            assumeTrue(program.isPresent(), "no native launcher for this machine");
            return List.of(program.get().install().toString());
        }
    }

    @TempDir
    private Path data;

    private final ProcFs processes = new ProcFs();
    private final List<Process> started = new ArrayList<>();
    private final List<Cgroup> groups = new ArrayList<>();
    private StepFolder folder;
    private Path workspace;
    private String input = "/dev/null";
    private String fate = "keep";
    private String stop = "TERM";
    private String group = "";
    private String graceMillis = "200";
    private Optional<String> path = Optional.empty();

    @BeforeEach
    void openFolders() throws IOException {
        folder = StepFolder.of(data, "run-1", "build.1.dev.1", SmallFiles.REAL);
        folder.make();
        workspace = Files.createDirectory(data.resolve("workspace"));
    }

    @AfterEach
    void nothingIsLeft() throws InterruptedException {
        for (Process launcher : started) {
            launcher.destroyForcibly().waitFor();
        }
        groups.forEach(made -> assertThat(made.remove()).isTrue());
    }

    private Process begin(Kind kind, String... words) throws IOException {
        List<String> all = new ArrayList<>(kind.words(data));
        all.addAll(List.of("record", folder.path().toString(), NONCE, data.toString(), input, fate, stop, graceMillis));
        all.addAll(List.of(LauncherScript.toolPath(), group, "", "no"));
        all.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(workspace.toFile())
                .redirectInput(
                        fate.equals("kill")
                                ? Redirect.PIPE
                                : Redirect.from(Path.of("/dev/null").toFile()))
                .redirectError(Redirect.DISCARD);
        builder.environment().put("LOOPKEEPER_NONCE", "of-an-outer-step");
        builder.environment().put("LOOPKEEPER_OPEN_FILES", "300");
        path.ifPresent(value -> builder.environment().put("PATH", value));
        Process launcher = builder.start();
        started.add(launcher);
        return launcher;
    }

    private static String started(ProcessBuilder program) throws IOException {
        return new String(program.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    @CanIgnoreReturnValue
    private int run(Kind kind, String... words) throws Exception {
        return begin(kind, words).waitFor();
    }

    private List<String> notes() throws IOException {
        try (Stream<Path> all = Files.list(folder.path())) {
            return all.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.path().resolve(name));
    }

    /** Without when it ended. */
    private String exitNote() throws IOException {
        return text("exit.json").replaceFirst(",\"endTicks\":[1-9][0-9]*}", "}");
    }

    @CanIgnoreReturnValue
    private Path script(String name, String text) throws IOException {
        Path file = Files.writeString(workspace.resolve(name), text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private void awaitAgent() {
        await().atMost(SOON).until(() -> folder.agent().isPresent());
    }

    @ParameterizedTest
    @EnumSource
    void recordsTheEndBesideTheLogs(Kind kind) throws Exception {
        Files.writeString(data.resolve("prompt.md"), "said\n");
        input = data.resolve("prompt.md").toString();
        Files.writeString(folder.stdout(), "before\n");

        int status = run(kind, "sh", "-c", "cat; echo bad >&2; exit 7");

        assertThat(status).isZero();
        assertThat(notes()).containsExactly("claim.json", "exit.json", "launch.json", "stderr.log", "stdout.log");
        assertThat(exitNote()).isEqualTo("{\"exitCode\":7}\n");
        assertThat(text("stdout.log")).isEqualTo("before\nsaid\n");
        assertThat(text("stderr.log")).isEqualTo("bad\n");
    }

    @ParameterizedTest
    @EnumSource
    void keepsItsFilesFromOtherUsersAndLeavesTheAgentItsUmask(Kind kind) throws Exception {
        String mask = started(new ProcessBuilder("sh", "-c", "umask"));

        assertThat(run(kind, "sh", "-c", "umask; echo ${LOOPKEEPER_UMASK-gone}"))
                .isZero();

        assertThat(text("stdout.log").lines()).containsExactly(mask, "gone");
        for (String note : notes()) {
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(folder.path().resolve(note))))
                    .as(note)
                    .isEqualTo("rw-------");
        }
    }

    @ParameterizedTest
    @EnumSource
    void givesTheAgentItsSoftLimitOfOpenFiles(Kind kind) throws Exception {
        assertThat(run(kind, "sh", "-c", "ulimit -S -n; ulimit -H -n; echo ${LOOPKEEPER_OPEN_FILES-gone}"))
                .isZero();

        String hard = started(new ProcessBuilder("sh", "-c", "ulimit -H -n"));
        assertThat(text("stdout.log").lines()).containsExactly("300", hard, "gone");
    }

    @ParameterizedTest
    @EnumSource
    void reportsAndRecordsTheLauncherAndTheAgent(Kind kind) throws Exception {
        Process launcher = begin(kind, "sh", "-c", "cat /proc/$$/stat; while [ ! -e leave ]; do sleep 0.1; done");
        String line;
        try (BufferedReader reported = launcher.inputReader(StandardCharsets.UTF_8)) {
            line = reported.readLine();
        }
        Identity agent = folder.agent().orElseThrow();
        Identity claimant = folder.claimant().orElseThrow();

        assertThat(text("launch.json")).isEqualTo(line + "\n");
        assertThat(Launcher.agent(line)).contains(agent);
        assertThat(claimant.pid()).isEqualTo(launcher.pid());
        assertThat(processes.living(agent)).isTrue();
        assertThat(processes.living(claimant)).isTrue();
        String pid = Long.toString(agent.pid());
        await().atMost(SOON).until(() -> text("stdout.log").endsWith("\n"));
        assertThat(text("stdout.log").split(" ", -1)[4]).isEqualTo(pid);
        assertThat(text("stdout.log").split(" ", -1)[5]).isEqualTo(pid);
        String[] own =
                Files.readString(Path.of("/proc/" + launcher.pid() + "/stat")).split(" ", -1);
        assertThat(own[5]).isEqualTo(Long.toString(launcher.pid()));

        Files.createFile(workspace.resolve("leave"));
        assertThat(launcher.waitFor()).isZero();
        assertThat(exitNote()).isEqualTo("{\"exitCode\":0}\n");
    }

    /** In the ticks of the start time, so that both can be compared. */
    @ParameterizedTest
    @EnumSource
    void recordsUntilWhenTheAgentHadItsPid(Kind kind) throws Exception {
        assertThat(run(kind, "sh", "-c", "sleep 0.05; cat /proc/self/stat")).isZero();

        long last = ProcessStat.parse(text("stdout.log")).orElseThrow().startTicks();
        Process later = new ProcessBuilder("sleep", "60").start();
        started.add(later);
        long afterwards = processes.identity(later.pid()).orElseThrow().startTicks();
        assertThat(folder.leaderHeldUntil().orElseThrow()).isBetween(last, afterwards);
    }

    @ParameterizedTest
    @EnumSource
    void onlyOneEverTakesAStep(Kind kind) throws Exception {
        assertThat(run(kind, "true")).isZero();
        String claim = text("claim.json");

        int second = run(kind, "sh", "-c", "echo ran >ran");

        assertThat(second).isEqualTo(75);
        assertThat(text("claim.json")).isEqualTo(claim);
        assertThat(workspace.resolve("ran")).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void aStopThatWasFirstIsAClaimToo(Kind kind) throws Exception {
        assertThat(folder.claimForStop()).isTrue();

        assertThat(run(kind, "true")).isEqualTo(75);
        assertThat(notes()).containsExactly("claim.json");
    }

    @ParameterizedTest
    @EnumSource
    void aClaimThatCannotBeWrittenIsAnErrorOfItsOwn(Kind kind) throws Exception {
        Files.delete(folder.path());

        assertThat(run(kind, "true")).isEqualTo(74);
    }

    @ParameterizedTest
    @EnumSource
    void filesThatCannotBeOpenedLaunchNothing(Kind kind) throws Exception {
        input = data.resolve("absent.md").toString();

        assertThat(run(kind, "sh", "-c", "echo ran >ran")).isZero();

        assertThat(notes()).doesNotContain("launch.json");
        assertThat(folder.exit().orElseThrow().exitCode()).isNotZero();
        assertThat(workspace.resolve("ran")).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void aDeathBySignalIs128PlusItsNumber(Kind kind) throws Exception {
        assertThat(run(kind, "sh", "-c", "kill -KILL $$")).isZero();

        assertThat(exitNote()).isEqualTo("{\"exitCode\":137}\n");
    }

    @ParameterizedTest
    @EnumSource
    void outlivesTheSignalsThatEndARuntime(Kind kind) throws Exception {
        Process launcher = begin(kind, "sh", "-c", "while [ ! -e leave ]; do sleep 0.1; done; exit 5");
        awaitAgent();

        for (String signal : List.of("HUP", "INT", "QUIT", "TERM")) {
            assertThat(new Signals(processes).send(folder.claimant().orElseThrow(), signal))
                    .isTrue();
        }
        Files.createFile(workspace.resolve("leave"));

        assertThat(launcher.waitFor()).isZero();
        assertThat(exitNote()).isEqualTo("{\"exitCode\":5}\n");
    }

    @ParameterizedTest
    @EnumSource
    void theAgentHasCleanSignalsAndOurMarksAndItsFolder(Kind kind) throws Exception {
        run(
                kind,
                "sh",
                "-c",
                "grep -E 'SigBlk|SigIgn' /proc/self/status; env | grep -E '^(LOOPKEEPER_(NONCE|DATA)|PWD)=' | sort");

        assertThat(text("stdout.log")
                        .lines()
                        .map(line -> line.replaceAll("\\s+", " "))
                        // Signals 32 and 33 belong to the C library of the process that starts the script.
                        .map(line -> line.replace("SigIgn: 0000000180000000", "SigIgn: 0000000000000000")))
                .containsExactly(
                        "SigBlk: 0000000000000000",
                        "SigIgn: 0000000000000000",
                        "LOOPKEEPER_DATA=" + data,
                        "LOOPKEEPER_NONCE=" + NONCE,
                        "PWD=" + workspace);
    }

    @ParameterizedTest
    @EnumSource
    void aMissingProgramIs127AndNoted(Kind kind) throws Exception {
        assertThat(run(kind, "no-such-agent-here")).isZero();

        assertThat(exitNote()).isEqualTo("{\"exitCode\":127}\n");
        assertThat(notes()).contains("exec-failed", "launch.json");
        assertThat(text("stderr.log")).contains("no-such-agent-here");
    }

    @ParameterizedTest
    @EnumSource
    void aProgramThatMayNotBeExecutedIs126AndNoted(Kind kind) throws Exception {
        Files.writeString(workspace.resolve("plain"), "exit 0\n");

        assertThat(run(kind, "./plain")).isZero();

        assertThat(exitNote()).isEqualTo("{\"exitCode\":126}\n");
        assertThat(notes()).contains("exec-failed");
        assertThat(text("stderr.log")).contains("./plain", "Permission denied");
    }

    @ParameterizedTest
    @EnumSource
    void aFolderOfThatNameOnThePathIsNoProgram(Kind kind) throws Exception {
        Files.createDirectories(workspace.resolve("odd/some-agent"));
        path = Optional.of(workspace.resolve("odd") + "::/usr/bin:/bin");

        assertThat(run(kind, "some-agent")).isZero();

        assertThat(exitNote()).isEqualTo("{\"exitCode\":127}\n");
    }

    @ParameterizedTest
    @EnumSource
    void aMissingInterpreterIsAMissingProgram(Kind kind) throws Exception {
        script("agent", "#!/no/such/interpreter\n");

        assertThat(run(kind, "./agent")).isZero();

        assertThat(exitNote()).isEqualTo("{\"exitCode\":127}\n");
    }

    @ParameterizedTest
    @EnumSource
    void aScriptWithoutAFirstLineForItsInterpreterIsRunByTheShell(Kind kind) throws Exception {
        script("some-agent", "echo \"$1|$2\"; exit 9\n");
        path = Optional.of("/no/such/folder::/usr/bin:/bin");

        assertThat(run(kind, "some-agent", "one", "two words")).isZero();

        assertThat(text("stdout.log")).isEqualTo("one|two words\n");
        assertThat(exitNote()).isEqualTo("{\"exitCode\":9}\n");
    }

    @ParameterizedTest
    @EnumSource
    void anEmptyEntryOfThePathIsTheAgentsFolder(Kind kind) throws Exception {
        script("some-agent", "#!/bin/sh\nexit 3\n");
        path = Optional.of("/usr/bin:");

        assertThat(run(kind, "some-agent")).isZero();

        assertThat(exitNote()).isEqualTo("{\"exitCode\":3}\n");
    }

    @ParameterizedTest
    @EnumSource
    void theAgentIsInItsControlGroupAndTheLauncherIsNot(Kind kind) throws Exception {
        Optional<Path> base = Cgroup.base();
        assumeTrue(base.isPresent(), "cgroup v2 is not writable here");
        Cgroup own = new Cgroup(base.get()
                .resolve("loopkeeper-contract-" + ProcessHandle.current().pid()));
        assertThat(own.make()).isTrue();
        groups.add(own);
        group = own.path().toString();

        Process launcher = begin(kind, "sh", "-c", "cat /proc/self/cgroup; while [ ! -e leave ]; do sleep 0.1; done");
        awaitAgent();
        await().atMost(SOON).until(() -> text("stdout.log").contains("0::"));

        String name = own.path().getFileName().toString();
        assertThat(text("stdout.log")).contains("/" + name + "\n");
        assertThat(Files.readString(Path.of("/proc/" + launcher.pid() + "/cgroup")))
                .doesNotContain(name);
        Files.createFile(workspace.resolve("leave"));
        assertThat(launcher.waitFor()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aControlGroupThatIsGoneLaunchesNothing(Kind kind) throws Exception {
        group = data.resolve("no-group").toString();

        assertThat(run(kind, "sh", "-c", "echo ran >ran")).isZero();

        assertThat(notes()).doesNotContain("launch.json");
        assertThat(folder.exit().orElseThrow().exitCode()).isNotZero();
        assertThat(workspace.resolve("ran")).doesNotExist();
    }

    /** Also what left its session, ignores TERM and lost its parents, by the nonce in its environment. */
    @ParameterizedTest
    @EnumSource
    void endsTheWholeTreeWhenTheRuntimeDies(Kind kind) throws Exception {
        fate = "kill";
        // The agent ends by TERM, on a machine in use too.
        graceMillis = "2000";
        Process launcher = begin(
                kind,
                "sh",
                "-c",
                "(setsid nohup sh -c 'trap \"\" TERM; echo $$ >child; while :; do sleep 1; done' >/dev/null 2>&1 &);"
                        + " while :; do sleep 1; done");
        await().atMost(SOON)
                .until(() -> Files.exists(workspace.resolve("child"))
                        && Files.readString(workspace.resolve("child")).endsWith("\n"));
        long child = Long.parseLong(Files.readString(workspace.resolve("child")).strip());

        try (OutputStream end = launcher.getOutputStream()) {
            assertThat(launcher.isAlive()).isTrue();
            end.flush();
        }

        assertThat(launcher.waitFor()).isZero();
        assertThat(exitNote()).isEqualTo("{\"exitCode\":143}\n");
        assertThat(notes()).contains("runtime-died");
        assertThat(SupervisorHarness.alive(child)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void anAgentThatEndsBeforeItsRuntimeIsNotSaidToDieWithIt(Kind kind) throws Exception {
        fate = "kill";
        stop = "USR1";
        Process launcher = begin(kind, "true");

        assertThat(launcher.waitFor()).isZero();

        assertThat(exitNote()).isEqualTo("{\"exitCode\":0}\n");
        assertThat(notes()).doesNotContain("runtime-died");
    }
}
