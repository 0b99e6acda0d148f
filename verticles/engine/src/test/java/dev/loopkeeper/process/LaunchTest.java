package dev.loopkeeper.process;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.ProcessChannels.ListProcesses;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.data.StepToken;
import dev.loopkeeper.process.tree.ProcessStat;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.work.LibC;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LaunchTest extends SupervisorHarness {
    @Test
    void reportsTheExitCodeAndTheOutput() throws Exception {
        Supervising runtime = supervisor();
        StepSpec step =
                step().shell("echo out; echo err >&2; exit 7").expecting("out").build();

        StepLaunched launched = runtime.launch(step);
        StepExited exit = runtime.exitOf(step);

        assertThat(launched.adopted()).isFalse();
        assertThat(exit.process().pid()).isEqualTo(launched.pid());
        assertThat(exit.process().cause()).isEqualTo(ExitCause.EXITED);
        assertThat(exit.process().exitCode()).hasValue(7);
        assertThat(exit.output().matched()).isTrue();
        assertThat(exit.swept().outcome()).isEqualTo(Outcome.gone);
        assertThat(exit.swept().processes()).isEmpty();
        assertThat(stdout(step)).isEqualTo("out\n");
        assertThat(Files.readString(folderOf(step).stderr())).isEqualTo("err\n");
    }

    @Test
    void fixesALauncherThatWasDamagedOrRemoved() throws Exception {
        Supervising runtime = supervisor();
        StepSpec first = step().id("a").shell("true").build();
        runtime.launch(first);
        assertThat(runtime.exitOf(first).process().exitCode()).hasValue(0);
        Path launcher = data.resolve("launcher");
        for (Path script : files(launcher)) {
            // Busy until the last process that executes it has ended.
            await().atMost(SOON).ignoreExceptions().until(() -> Files.writeString(script, "") != null);
        }
        StepSpec damaged = step().id("b").shell("true").build();
        runtime.launch(damaged);
        assertThat(runtime.exitOf(damaged).process().exitCode()).hasValue(0);
        for (Path script : files(launcher)) {
            Files.delete(script);
        }

        StepSpec removed = step().id("c").shell("true").build();
        runtime.launch(removed);

        assertThat(runtime.exitOf(removed).process().exitCode()).hasValue(0);
    }

    @Test
    void listsTheAgentsCommandWithoutItsGuard() throws Exception {
        Supervising runtime = supervisor();
        StepSpec step = step().words("sleep", "3600")
                .build()
                .withGuard(List.of("/bin/sh", "-c", "echo guarded; exec \"$@\"", "guard"));

        runtime.launch(step);
        await().atMost(SOON).until(() -> stdout(step).equals("guarded\n"));

        assertThat(runtime.ask(ProcessChannels.LIST, new ListProcesses(Optional.empty()))
                        .processes())
                .extracting(LiveProcess::command)
                .containsExactly("sleep 3600");
        runtime.stop(step);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    @Test
    void leadsItsOwnSessionAndGroup() throws Exception {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("cat /proc/$$/stat").build();

        long pid = runtime.launch(step).pid().orElseThrow();
        StepExited exit = runtime.exitOf(step);

        ProcessStat stat = ProcessStat.parse(stdout(step)).orElseThrow();
        assertThat(exit.process().pid()).hasValue(pid);
        assertThat(stat.pid()).isEqualTo(pid);
        assertThat(stat.group()).isEqualTo(pid);
        assertThat(stat.session()).isEqualTo(pid);
    }

    @Test
    void startsWithDefaultSignalsAndNoForeignFiles() throws Exception {
        Supervising runtime = supervisor();
        StepSpec signals = step().id("a")
                .words("grep", "-E", "SigBlk|SigIgn", "/proc/self/status")
                .build();
        StepSpec files = step().id("b").words("ls", "/proc/self/fd").build();

        runtime.launch(signals);
        runtime.launch(files);
        assertThat(runtime.exitOf(signals).process().exitCode()).hasValue(0);
        assertThat(runtime.exitOf(files).process().exitCode()).hasValue(0);

        List<String> lines = stdout(signals).lines().toList();
        assertThat(lines.get(0)).matches("SigBlk:\\s+0+");
        // Signals 32 and 33 belong to the C library; no process can give them away.
        assertThat(lines.get(1)).matches("SigIgn:\\s+0+(180000000)?");
        // 3 is the folder that ls itself reads.
        assertThat(stdout(files).lines()).containsExactly("0", "1", "2", "3");
    }

    @Test
    void anAgentInheritsNothingThatTheRuntimeLeftOpen() throws Exception {
        int left = LibC.get().open(workspace.toString(), 0);
        try {
            Supervising runtime = supervisor();
            StepSpec step = step().dyingWithTheRuntime().words("sleep", "60").build();
            Path process = Path.of("/proc/" + runtime.launch(step).pid().orElseThrow());
            await().atMost(SOON)
                    .until(() -> Files.readString(process.resolve("comm")).equals("sleep\n"));

            // What it has inherited stays; what its own beginning opens, as libraries, does not.
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(files(process.resolve("fd")))
                            .extracting(descriptor -> descriptor.getFileName().toString())
                            .containsExactlyInAnyOrder("0", "1", "2"));
            runtime.stop(step);
        } finally {
            assertThat(LibC.get().close(left)).isZero();
        }
    }

    @Test
    void launchesANewStepWithoutReadingItsFolder() {
        UnreadableFiles files = new UnreadableFiles();
        Supervising runtime = new Supervising(SupervisorOptions.of(data), files, text -> text);
        supervisors.add(runtime);
        StepSpec step = step().shell("while [ ! -e leave ]; do sleep 0.1; done").build();
        files.failReading(file -> file.startsWith(data.resolve("runs").toString()));

        assertThat(runtime.launch(step).pid()).isPresent();

        files.heal();
        runtime.stop(step);
    }

    @Test
    void givesTheStepItsIdentity() throws Exception {
        Supervising runtime = supervisor();
        StepSpec step = step().env("WHO", "manifest")
                .env("FROM_MANIFEST", "manifest")
                .signal(".loopkeeper/dev.json")
                .shell("env | grep -E '^(LOOPKEEPER_|FROM_|WHO)' | sort")
                .build();

        runtime.launch(step);
        var exit = runtime.exitOf(step);

        assertThat(exit.process().exitCode()).hasValue(0);
        assertThat(stdout(step).lines())
                .containsExactly(
                        "FROM_AGENT=agent",
                        "FROM_MANIFEST=manifest",
                        "LOOPKEEPER_ATTEMPT=1",
                        "LOOPKEEPER_CONTEXT_FILE=" + folderOf(step).context(),
                        "LOOPKEEPER_DATA=" + data,
                        "LOOPKEEPER_EXECUTION=1",
                        "LOOPKEEPER_FEEDBACK=be careful",
                        "LOOPKEEPER_ITEM=",
                        "LOOPKEEPER_ITERATION=1",
                        "LOOPKEEPER_LAST_CONCERN=",
                        "LOOPKEEPER_LAST_VERDICT=",
                        "LOOPKEEPER_NONCE=" + step.nonce(),
                        "LOOPKEEPER_PHASE=build",
                        "LOOPKEEPER_REASONS=",
                        "LOOPKEEPER_RUN_ID=run-1",
                        "LOOPKEEPER_SIGNAL=" + new SignalProgram(data).install(),
                        "LOOPKEEPER_SIGNAL_FILE=" + workspace.resolve(".loopkeeper/dev.json"),
                        "LOOPKEEPER_STEP_ID=build.1.dev.1",
                        "LOOPKEEPER_STEP_TOKEN=" + StepToken.of(data, "run-1", "build.1.dev.1"),
                        "WHO=agent");
    }

    @Test
    void aStepWritesItsSignalByTheProgramInItsEnvironment() throws Exception {
        Supervising runtime = supervisor();
        StepSpec step = step().signal(".loopkeeper/dev.json")
                .env("PATH", "/nowhere")
                .words("/bin/sh", "-c", "umask 077; \"$LOOPKEEPER_SIGNAL\" --determination SUCCESS")
                .build();

        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(0);
        assertThat(workspace.resolve(".loopkeeper/dev.json"))
                .hasContent("{\"nonce\":\"" + step.nonce() + "\",\"determination\":\"SUCCESS\"}\n");
    }

    @Test
    void givesTheRenderedPromptOnStdin() throws Exception {
        Files.writeString(workspace.resolve("dev.md"), "Shot {{vars.shot}}, iteration {{iteration}}: {{feedback}}\n");
        Supervising runtime = supervisor();
        StepSpec step = step().prompt("dev.md").words("cat").build();

        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(0);
        assertThat(stdout(step)).isEqualTo("Shot 7, iteration 1: be careful\n");
        assertThat(folderOf(step).prompt()).hasContent("Shot 7, iteration 1: be careful\n");
    }

    @Test
    void aMissingProgramIsALaunchThatFailed() {
        Supervising runtime = supervisor();
        StepSpec step = step().words("no-such-agent-here", "-p").build();

        runtime.launch(step);
        StepExited exit = runtime.exitOf(step);

        assertThat(exit.process().cause()).isEqualTo(ExitCause.LAUNCH_FAILED);
        assertThat(exit.process().diagnostic().orElseThrow()).contains("no-such-agent-here", "install it");
    }

    @Test
    void reportsAMissingProgramBehindUnreadableFolders() throws Exception {
        Path closed = Files.createDirectory(folder.resolve("closed"), asFileAttribute(Set.of()));
        // Nothing is closed to root, but what is no file cannot be executed.
        Path odd = Files.createDirectories(folder.resolve("odd"));
        Files.createDirectory(odd.resolve("no-such-agent-here"));
        Supervising runtime = supervisor();
        StepSpec step = step().words("no-such-agent-here", "-p")
                .env("PATH", closed + "::" + odd + ":/usr/bin:/bin")
                .build();

        runtime.launch(step);
        StepExited exit = runtime.exitOf(step);

        assertThat(exit.process().cause()).isEqualTo(ExitCause.LAUNCH_FAILED);
        assertThat(exit.process().diagnostic().orElseThrow()).contains("no-such-agent-here", "install it");
        assertThat(exit.process().exitCode()).hasValue(127);
    }

    @Test
    void aProgramOfThePathThatIsNotExecutableIsNotMissing() throws Exception {
        Path programs = Files.createDirectory(folder.resolve("programs"));
        Files.writeString(programs.resolve("some-agent"), "exit 0\n");
        Supervising runtime = supervisor();
        StepSpec step = step().words("some-agent")
                .env("PATH", programs + ":/usr/bin:/bin")
                .build();

        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().diagnostic().orElseThrow()).contains("some-agent", "chmod +x");
    }

    @Test
    void aProgramThatIsNotExecutableIsALaunchThatFailed() throws Exception {
        Files.writeString(workspace.resolve("agent.sh"), "exit 0\n");
        Supervising runtime = supervisor();
        StepSpec step = step().words("./agent.sh").build();

        runtime.launch(step);
        StepExited exit = runtime.exitOf(step);

        assertThat(exit.process().cause()).isEqualTo(ExitCause.LAUNCH_FAILED);
        assertThat(exit.process().diagnostic().orElseThrow()).contains("./agent.sh", "chmod +x");
    }

    @Test
    void anAgentThatItselfExits127WasLaunched() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("exit 127").build();

        runtime.launch(step);
        StepExited exit = runtime.exitOf(step);

        assertThat(exit.process().cause()).isEqualTo(ExitCause.EXITED);
        assertThat(exit.process().exitCode()).hasValue(127);
    }

    @Test
    void aMissingPromptOrFolderIsALaunchThatFailed() {
        Supervising runtime = supervisor();
        StepSpec promptless = step().id("a").prompt("absent.md").build();
        StepSpec homeless = step().id("b").cwd("absent").build();

        assertThat(runtime.launch(promptless).pid()).isEmpty();
        assertThat(runtime.launch(homeless).pid()).isEmpty();

        assertThat(runtime.exitOf(promptless).process().cause()).isEqualTo(ExitCause.LAUNCH_FAILED);
        assertThat(runtime.exitOf(promptless).process().diagnostic().orElseThrow())
                .contains("absent.md", "the file no longer exists");
        assertThat(runtime.exitOf(homeless).process().diagnostic().orElseThrow())
                .contains("absent", "not a folder");
    }

    @Test
    void anEmptyProgramIsALaunchThatFailed() throws Exception {
        Files.createFile(workspace.resolve("agent.sh"));
        assertThat(workspace.resolve("agent.sh").toFile().setExecutable(true)).isTrue();
        Supervising runtime = supervisor();
        List<StepSpec> steps = List.of(
                step().id("a").words("./agent.sh").build(),
                step().id("b").shell("./agent.sh").build(),
                step().id("c")
                        .words("agent.sh")
                        .env("PATH", workspace + ":/usr/bin:/bin")
                        .build());
        for (StepSpec step : steps) {
            assertThat(runtime.launch(step).pid()).isEmpty();

            assertThat(runtime.exitOf(step).process().cause()).isEqualTo(ExitCause.LAUNCH_FAILED);
            assertThat(runtime.exitOf(step).process().diagnostic().orElseThrow())
                    .contains("agent.sh", "empty file", "correct command");
        }
    }

    @Test
    void aPromptThatIsNoTextIsALaunchThatFailed() throws Exception {
        Supervising runtime = supervisor();
        Files.write(workspace.resolve("bytes.md"), new byte[] {(byte) 0xc3, (byte) 0x28});
        StepSpec garbled = step().prompt("bytes.md").build();

        assertThat(runtime.launch(garbled).pid()).isEmpty();

        assertThat(runtime.exitOf(garbled).process().cause()).isEqualTo(ExitCause.LAUNCH_FAILED);
        assertThat(runtime.exitOf(garbled).process().diagnostic().orElseThrow()).contains("bytes.md", "not UTF-8 text");
    }

    @Test
    void findsARelativeProgramBesideTheManifest() throws Exception {
        Files.createDirectory(workspace.resolve("sub"));
        Files.writeString(workspace.resolve("agent.sh"), "#!/bin/sh\npwd\n");
        assertThat(workspace.resolve("agent.sh").toFile().setExecutable(true)).isTrue();
        Supervising runtime = supervisor();
        StepSpec step = step().words("./agent.sh").cwd("sub").build();

        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(0);
        assertThat(stdout(step).strip()).isEqualTo(workspace.resolve("sub").toString());
    }

    @Test
    void reportsADeathBySignalAs128PlusItsNumber() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("kill -KILL $$").build();

        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(137);
    }

    @Test
    void aRepeatedLaunchAnswersWithTheSamePidAndRunsOnce() throws Exception {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("echo ran >>ran; exec sleep 30").build();

        StepLaunched first = runtime.launch(step);
        StepLaunched second = runtime.launch(step);
        assertThat(second.pid()).isEqualTo(first.pid());
        assertThat(written("ran")).isEqualTo("ran");
        var stopped = runtime.stop(step);
        var exit = runtime.exitOf(step);
        StepLaunched third = runtime.launch(step);

        assertThat(stopped.outcome()).isEqualTo(Outcome.gone);
        assertThat(exit.process().cause()).isEqualTo(ExitCause.STOPPED);
        assertThat(third.pid()).isEmpty();
        assertThat(runtime.exits).hasSize(1);
        assertThat(written("ran")).isEqualTo("ran");
    }

    @Test
    void fiftyStepsAtOnceAllEndWithTheirOwnExitCode() {
        Supervising runtime = supervisor();
        List<StepSpec> steps = new ArrayList<>();
        for (int number = 0; number < 50; number++) {
            steps.add(step().id("s" + number).shell("exit " + number).build());
        }

        steps.stream()
                .map(step -> runtime.asking(ProcessChannels.LAUNCH, new LaunchStep(step, false)))
                .toList()
                .forEach(SupervisorHarness::done);

        for (int number = 0; number < 50; number++) {
            assertThat(runtime.exitOf(steps.get(number)).process().exitCode()).hasValue(number);
        }
    }

    @Test
    void refusesNamesThatWouldLeaveTheDataFolder() {
        Supervising runtime = supervisor();
        StepSpec step = step().id("../../elsewhere").build();

        assertThatThrownBy(() -> runtime.launch(step)).hasMessageContaining("not safe as a file name");
    }

    @Test
    void twoOutputsThatDifferOnlyInWhatIsNormalisedHaveTheSameDigest() throws IOException {
        Supervising runtime = supervisor();
        StepSpec one = step().id("a").shell("echo took 12 ms").build();
        StepSpec two = step().id("b").shell("echo took 3456 ms").build();
        StepSpec other = step().id("c").shell("echo took no time").build();
        List.of(one, two, other).forEach(runtime::launch);

        String digest = runtime.exitOf(one).output().digest();

        assertThat(runtime.exitOf(two).output().digest()).isEqualTo(digest);
        assertThat(runtime.exitOf(other).output().digest()).isNotEqualTo(digest);
    }
}
