package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.OpenServer;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.ConfineCommand;
import dev.loopkeeper.contract.ProcessChannels.ConfinedCommand;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.SecretFiles;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.data.ServerAddress;
import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.SandboxRungs;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.StepWorktree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ways to escape from a sandbox, as shell commands: each works outside and fails inside. */
class SandboxTest extends SupervisorHarness {
    /** $O is a folder outside, $H is hidden, $D the data folder, $S the step's own, $RT the runtime, $L the launcher, $PORT a server. */
    private static final List<String> ESCAPES = List.of(
            "echo x >$O/new",
            "echo x >$O/victim1",
            "echo x >>$O/victim2",
            "perl -e 'truncate(\"$ENV{O}/victim3\", 0) or exit 1'",
            "perl -e 'open(F, \"+<\", \"$ENV{O}/victim4\") or exit 1'",
            "rm $O/victim5",
            "rmdir $O/empty",
            "mkdir $O/made",
            "mv $O/victim6 $O/moved",
            "mv $O/victim7 ./taken",
            "mv mine1 $O/planted",
            "ln $O/victim8 ./linked",
            "ln mine2 $O/linked",
            "ln -s /etc/passwd $O/link",
            "ln -sf $O/victim9 way1 && echo x >way1",
            "ln -sfn $O way2 && echo x >way2/new2",
            "echo x >../outside/new3",
            "echo x >/proc/self/root$O/new4",
            "echo x >/proc/self/cwd/../outside/new5",
            "echo x >/proc/thread-self/root$O/new6",
            "mkfifo $O/fifo",
            "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => \"$ENV{O}/sock\", Listen => 1) or exit 1'",
            "cp mine2 $O/copied",
            "dd if=mine2 of=$O/written",
            "echo x | tee $O/teed",
            "sed -i s/x/y/ $O/victim10",
            "install -m 755 mine2 $O/installed",
            "find $O/tree -mindepth 1 -delete",
            "TMPDIR=$O mktemp",
            "tar -cf - mine2 | tar -C $O -xf -",
            "exec 5<$O/victim11; echo x >/proc/self/fd/5",
            "sh -c 'sh -c \"echo x >$O/new7\"'",
            "setsid -w sh -c 'echo x >$O/new8'",
            "(sh -c 'echo x >$O/new9' & wait $!)",
            "env -i O=$O /bin/sh -c 'echo x >$O/new10'",
            "perl -e 'exit 1 unless fork == 0 or wait > 0 and $? == 0; open(F, \">\", \"$ENV{O}/new11\") or exit 1'",
            "git init -q $O/repository",
            "echo x >$O/hooks/post-checkout",
            "git config -f $O/gitconfig core.fsmonitor evil",
            "echo x >/dev/shm/loopkeeper-escape && rm /dev/shm/loopkeeper-escape",
            "echo x >$TMP_OF_ALL/loopkeeper-escape && rm $TMP_OF_ALL/loopkeeper-escape",
            "cat $H/secret",
            "ls $H",
            "ln -sf $H/secret way3 && cat way3",
            "cat /proc/self/root$H/secret",
            "cd $H && cat secret",
            "ln $H/secret ./stolen && cat stolen",
            "mv $H/secret2 ./stolen2",
            "cp $H/secret ./stolen3",
            "cat $D/events.db",
            "ls $D",
            "echo x >$D/events.db",
            "echo x >$D/new",
            "cat $D/runs/other/steps/a/stdout.log",
            "echo x >$D/runs/other/steps/a/stdout.log",
            "echo x >$S/exit.json",
            "rm $S/claim.json",
            "echo x >>$LOOPKEEPER_CONTEXT_FILE",
            "echo >>$LOOPKEEPER_SIGNAL",
            "cat /proc/$RT/environ",
            "cat /proc/$RT/maps",
            "readlink /proc/$RT/fd/0",
            "ls /proc/$RT/cwd/",
            "head -c 1 /proc/$RT/root$O/victim1",
            "head -c 1 /proc/$L/environ",
            "(cd $O && echo x >new12)",
            "perl -e 'chdir($ENV{O}) and rename(\"victim1\", \"victim13\") or exit 1; rename(\"victim13\", \"victim1\")'",
            "perl -e 'symlink($ENV{O}, \"way4\"); open(F, \">\", \"way4/new13\") or exit 1'",
            "git init -q planted && git -C planted config core.worktree $O && echo x >mine2 && git -C planted config alias.x '!echo x >$O/new17' && git -C planted x",
            "git -c alias.x='!echo x >$O/new18' x",
            "ln -sf $O/new20 way5 && echo x >way5",
            "perl -e 'link(\"$ENV{H}/secret\", \"stolen4\") or exit 1'",
            "exec 7<>$O/victim12",
            "tail -c 1 $D/runs/other/steps/a/stdout.log",
            "cp -r $D stolen5",
            "find $H -name secret | grep -q .",
            "perl -e 'open(F, \"<\", \"/proc/thread-self/root$ENV{H}/secret\") or exit 1'",
            "touch ${S%/*}/planted",
            "echo x >$S/signal",
            "kill -0 $RT",
            "kill -0 $L",
            "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(\"127.0.0.1:$ENV{PORT}\") or exit 1'",
            "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(Listen => 1, LocalAddr => \"127.0.0.1\") or exit 1'");

    /** The same, with the rights of root outside. */
    private static final List<String> OF_ROOT = List.of(
            "chown 12345 mine3",
            "chroot / true",
            "unshare --mount true",
            "unshare --pid --fork true",
            "nice -n -5 sh -c '[ \"$(nice)\" -lt 0 ]'",
            "mknod $O/device c 1 3",
            "mknod device c 1 3");

    private static final List<String> WORK = List.of(
            "echo x >made",
            "mkdir -p a/b && mv a c && rm -r c",
            "echo x >$TMPDIR/mine",
            "mktemp",
            "cat $O/victim12",
            "cat /etc/hosts",
            "cat $LOOPKEEPER_CONTEXT_FILE",
            "echo x >/dev/null",
            "(sleep 60 & kill $!)",
            "git init -q here && cd here && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x");

    /** What Landlock cannot take away: in place, with {@code protect: [kept/**, deep/kept/**, *.lock]} and hidden things. */
    private static final List<String> BY_MOUNTS = List.of(
            "chmod 777 $O/victim1",
            "chmod 700 $O",
            "touch -d 2001-01-01 $O/victim2",
            "chmod 711 ../data",
            "echo x >.git/hooks/pre-commit",
            "chmod 700 .git/hooks",
            "mv .git/hooks .git/other && mv .git/other .git/hooks",
            "mkdir -p .git/new && mv -T .git/hooks .git/kept && mv .git/new .git/hooks",
            "git config core.fsmonitor evil && git config --unset core.fsmonitor",
            "echo >>.git/config",
            "cp .git/config c && mv c .git/config",
            "ln -sf ../c .git/config; rm .git/config; git init -q",
            "mv .git g && mv g .git",
            "perl -e 'rename(\".git\", \"g\") or exit 1; rename(\"g\", \".git\")'",
            "echo x >.git/worktrees/w/commondir",
            "echo x >.git/modules/m/config",
            "echo x >kept/a",
            "echo x >kept/new",
            "chmod +x kept/a",
            "rm kept/b",
            "mv kept k && mv k kept",
            "mv deep d && mv d deep",
            "rm -r deep/kept/sub",
            "echo x >deep/kept/a",
            "echo x >x.lock",
            "mv x.lock y.lock && mv y.lock x.lock",
            "ln x.lock z && echo x >z",
            "cat secrets/key",
            "ls secrets",
            "echo x >secrets/new",
            "chmod 755 secrets && ls secrets",
            "cat .env",
            "cp .env stolen",
            "mv secrets s && cat s/key && mv s secrets");

    private static final List<String> WORK_IN_PLACE = List.of(
            "echo x >made && mv made moved && chmod 755 moved",
            "cat kept/a deep/kept/a x.lock",
            "echo x >deep/mine && mv deep/mine deep/yours",
            "git add moved && git -c user.name=a -c user.email=a@b commit -q -m x",
            "git branch side && git checkout -q side && git stash list",
            "[ -z \"$(git status --porcelain -- moved)\" ]",
            "echo x >$TMPDIR/mine",
            "cat $LOOPKEEPER_CONTEXT_FILE",
            "(sleep 60 & kill $!)");

    private Path outside;
    private Path hidden;
    private SandboxRungs rungs;

    @BeforeEach
    void requireLandlock() throws IOException {
        rungs = SandboxMachine.of(LauncherChoice.of(data)).rungs();
        assumeTrue(rungs.abi() >= 6, "Landlock ABI 6 is required");
        outside = Files.createDirectories(folder.resolve("outside/tree/leaf"))
                .getParent()
                .getParent();
        hidden = Files.createDirectory(folder.resolve("hidden"));
    }

    private void furnish() throws IOException {
        for (String folder : List.of("tree/leaf", "hooks", "empty")) {
            Files.createDirectories(outside.resolve(folder));
        }
        for (int number = 1; number <= 12; number++) {
            Files.writeString(outside.resolve("victim" + number), "x\n");
        }
        for (String name : List.of("secret", "secret2")) {
            Files.writeString(hidden.resolve(name), "x\n");
        }
        for (String name : List.of("mine1", "mine2", "mine3")) {
            Files.writeString(workspace.resolve(name), "x\n");
        }
        Files.writeString(data.resolve("events.db"), "x\n");
        Path other = Files.createDirectories(data.resolve("runs/other/steps/a"));
        Files.writeString(other.resolve("stdout.log"), "x\n");
    }

    @Test
    void everyEscapeWorksOutsideAndFailsInside() throws IOException {
        List<String> escapes = new ArrayList<>(ESCAPES);
        if (System.getProperty("user.name").equals("root")) {
            escapes.addAll(OF_ROOT);
        }
        SandboxSpec closed = new SandboxSpec(true, List.of("."), List.of(hidden.toString()), false, List.of());
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Map<String, Boolean> inside = tried("inside", escapes, Optional.of(closed), server.getLocalPort());
            Map<String, Boolean> free = tried("outside", escapes, Optional.empty(), server.getLocalPort());

            assertThat(inside)
                    .hasSize(escapes.size())
                    .allSatisfy((escape, works) -> assertThat(works).as(escape).isFalse());
            assertThat(free)
                    .hasSize(escapes.size())
                    .allSatisfy((escape, works) -> assertThat(works).as(escape).isTrue());
        }
    }

    @Test
    void anAgentWorksInsideAndReportsItsLevel() throws IOException {
        ServerAddress server = new ServerAddress(
                "https://127.0.0.1:1",
                ProcessHandle.current().pid(),
                Instant.now(),
                Optional.of("/server.pem"),
                Optional.empty());
        DataFolder owned = new DataFolder(data);
        owned.serverFile().write(server);
        List<String> work = new ArrayList<>(WORK);
        work.add("[ $LOOPKEEPER_SERVER = https://127.0.0.1:1 ]");
        work.add("[ $LOOPKEEPER_SERVER_CERTIFICATE = /server.pem ]");

        try (OwnerLock lock = owned.own()) {
            assertThat(lock).isNotNull();
            assertThat(tried("inside", work, Optional.of(SandboxSpec.WORKSPACE), 0))
                    .hasSize(work.size())
                    .allSatisfy((command, done) -> assertThat(done).as(command).isTrue());
        }
        StepExited exit = supervisors.get(0).exits.get(0);
        assertThat(exit.process().sandbox().orElseThrow()).isEqualTo(rungs.name() + ": write, hide");
        assertThat(Path.of(System.getProperty("java.io.tmpdir")).resolve("loopkeeper-inside"))
                .doesNotExist();
    }

    @Test
    void mountsTakeAwayWhatLandlockCannotInPlace() throws IOException {
        assumeTrue(
                rungs.withoutBubblewrap().isEmpty(),
                () -> rungs.withoutBubblewrap().orElseThrow());
        repository();
        SandboxSpec spec = new SandboxSpec(
                true,
                List.of("."),
                List.of("secrets", workspace.resolve(".env").toString()),
                true,
                List.of("kept/**", "deep/kept/**", "*.lock"));

        Map<String, Boolean> inside = tried("inside", BY_MOUNTS, Optional.of(spec), 0);
        Map<String, Boolean> works = tried("work", WORK_IN_PLACE, Optional.of(spec), 0);
        Map<String, Boolean> free = tried("outside", BY_MOUNTS, Optional.empty(), 0);

        assertThat(inside)
                .hasSize(BY_MOUNTS.size())
                .allSatisfy((escape, done) -> assertThat(done).as(escape).isFalse());
        assertThat(works)
                .hasSize(WORK_IN_PLACE.size())
                .allSatisfy((work, done) -> assertThat(done).as(work).isTrue());
        assertThat(free)
                .hasSize(BY_MOUNTS.size())
                .allSatisfy((escape, done) -> assertThat(done).as(escape).isTrue());
        assertThat(supervisors.get(0).exits.get(0).process().sandbox())
                .contains(rungs.name() + ": write, hide, protect");
    }

    private void repository() throws IOException {
        for (String folder : List.of("kept", "deep/kept/sub", "secrets")) {
            Files.createDirectories(workspace.resolve(folder));
        }
        for (String file : List.of("kept/a", "kept/b", "deep/kept/a", "x.lock", "secrets/key", ".env")) {
            Files.writeString(workspace.resolve(file), "x\n");
        }
        runHere("git init -q && mkdir -p .git/worktrees/w .git/modules/m && echo x >.git/modules/m/config");
    }

    private void runHere(String script) throws IOException {
        runHere(script, List.of());
    }

    private void runHere(String script, List<String> arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        words.addAll(arguments);
        Process shell = new ProcessBuilder(words)
                .directory(workspace.toFile())
                .inheritIO()
                .start();
        assertThat(shell.onExit().join().exitValue()).isZero();
    }

    /** Also where bubblewrap made its mounts, no process is between the launcher and the agent. */
    @Test
    void adoptsASandboxedAgentAndStopsItsDeafChild() throws IOException {
        StepSpec step = sandboxed(
                step().shell("trap '' TERM; (while :; do sleep 60; done) & echo $$ >pid; wait; wait")
                        .build(),
                SandboxSpec.WORKSPACE);
        Supervising first = supervisor();
        long pid = first.launch(step).pid().orElseThrow();
        assertThat(written("pid")).isEqualTo(Long.toString(pid));
        first.shutDown();
        supervisors.clear();

        Supervising next = supervisor();
        StepLaunched adopted = next.recover(step);
        KillReceipt receipt = next.stop(step);

        assertThat(adopted.adopted()).isTrue();
        assertThat(adopted.pid()).hasValue(pid);
        assertThat(receipt.outcome()).isEqualTo(KillReceipt.Outcome.gone);
        assertThat(receipt.sandbox()).contains(rungs.name() + ": write, hide");
        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.STOPPED);
        assertThat(next.exitOf(step).process().sandbox()).contains(rungs.name() + ": write, hide");
    }

    @ParameterizedTest
    @CsvSource({"exit 7, 7", "kill -SEGV $$, 139", "kill -KILL $$, 137"})
    void handsOnTheExitCodeAndTheSignalOfAnAgentInside(String script, int exitCode) {
        StepSpec step = sandboxed(step().shell(script).build(), SandboxSpec.WORKSPACE);
        Supervising runtime = supervisor();
        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(exitCode);
    }

    @Test
    void aKnownProgramKeepsItsStateInAHomeThatHasNoneYet() throws IOException {
        Path home = Files.createDirectory(folder.resolve("home"));
        Path codex = Files.createDirectory(workspace.resolve("bin")).resolve("codex");
        Files.writeString(codex, "#!/bin/sh\nmkdir -p ~/.codex/sessions && ! echo x >~/mine\n");
        assertThat(codex.toFile().setExecutable(true)).isTrue();
        StepSpec step = sandboxed(
                step().env("HOME", home.toString()).words(codex.toString()).build(), SandboxSpec.WORKSPACE);
        Supervising runtime = supervisor();
        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(0);
        assertThat(home.resolve(".codex/sessions")).isDirectory();
    }

    @Test
    void aSignalIsWrittenFromInside() throws IOException {
        StepSpec step = sandboxed(
                step().signal(".loopkeeper/dev.json")
                        .shell("\"$LOOPKEEPER_SIGNAL\" --verdict approved")
                        .build(),
                SandboxSpec.WORKSPACE);
        Supervising runtime = supervisor();
        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(0);
        assertThat(workspace.resolve(".loopkeeper/dev.json")).content().contains("approved");
    }

    @Test
    void launchesNothingThatCannotBeEnforced() throws IOException {
        Files.createDirectory(workspace.resolve(".git"));
        System.setProperty("loopkeeper.bubblewrap", "/bin/false");
        try {
            assertRefused("a", SandboxSpec.WORKSPACE, "Landlock cannot protect .git/hooks and .git/config");
            assertRefused("b", with(List.of("/"), List.of()), "in a writable folder");
            assertRefused("c", with(List.of("src"), List.of("tests/**")), "permit user namespaces");
        } finally {
            System.clearProperty("loopkeeper.bubblewrap");
        }
    }

    @Test
    void takesAwayWhatMakesGitUseOtherSettings() throws IOException {
        assumeTrue(
                rungs.withoutBubblewrap().isEmpty(),
                () -> rungs.withoutBubblewrap().orElseThrow());
        runHere("git init -q");
        StepSpec step = sandboxed(step().shell("echo ../evil >.git/commondir").build(), SandboxSpec.WORKSPACE);
        Supervising runtime = supervisor();
        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(0);
        assertThat(workspace.resolve(".git/commondir")).doesNotExist();
        assertThat(folderOf(step).path().resolve("planted-commondir")).hasContent("../evil");
    }

    @Test
    void aWorktreeKeepsItsOwnSettingsWhereGitReadsThem() throws IOException {
        assumeTrue(
                rungs.withoutBubblewrap().isEmpty(),
                () -> rungs.withoutBubblewrap().orElseThrow());
        String commit = "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x";
        String escape = "git config --worktree core.fsmonitor evil";
        runHere("git init -q ../repository && cd ../repository && " + commit
                + " && git config extensions.worktreeConfig true && git worktree add -q --detach ../workspace");
        StepSpec plain = step().shell("! " + escape + " && " + commit).build();
        StepWorktree worktree = new StepWorktree(
                folder.resolve("repository").toString(),
                "",
                "workspace",
                new StepWorktree.Branch("b", "", ""),
                false,
                List.of(),
                Optional.empty());
        StepSpec step = sandboxed(plain.withWorktree(Optional.of(worktree)), SandboxSpec.WORKSPACE);
        Supervising runtime = supervisor();
        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(0);
        Path settings = folder.resolve("repository/.git/worktrees/workspace/config.worktree");
        assertThat(settings).isEmptyFile();
        runHere(escape);
        assertThat(settings).content().contains("evil");
    }

    @Test
    void refusesToProtectALink() throws IOException {
        assumeTrue(
                rungs.withoutBubblewrap().isEmpty(),
                () -> rungs.withoutBubblewrap().orElseThrow());
        Files.createSymbolicLink(workspace.resolve("tests"), outside);

        assertRefused("a", with(List.of("."), List.of("tests/**")), "tests is a symbolic link");
    }

    @Test
    void confinesACommandBesideTheStep() throws IOException {
        StepSpec step = step().build();

        ConfinedCommand confined =
                supervisor().ask(ProcessChannels.CONFINE, new ConfineCommand(step, SandboxSpec.WORKSPACE));

        assertThat(confined.refusal()).isEmpty();
        runHere("touch " + outside.resolve("before"));
        runHere(
                "\"$@\" sh -c 'touch inside; echo x >$TMPDIR/mine && ! touch " + outside.resolve("after") + "'",
                confined.words());
        Sandbox.clear(step.nonce());
        assertThat(workspace.resolve("inside")).exists();
        assertThat(outside.resolve("after")).doesNotExist();
    }

    @Test
    void hidesTheTokensOfTheServer() throws IOException {
        Path tokens = Files.writeString(outside.resolve("tokens"), "secret control\n");
        Path beside = Files.writeString(outside.resolve("beside"), "for everyone\n");
        SecretFiles.hide(supervisor().vertx, tokens);
        Supervising runtime = supervisors.get(0);
        StepSpec step = sandboxed(
                step().shell("cat " + beside + " >read; cat " + tokens + " >>read")
                        .build(),
                SandboxSpec.WORKSPACE);

        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(1);
        assertThat(workspace.resolve("read")).hasContent("for everyone");
    }

    @Test
    void refusesAServerWithoutTokens() {
        OpenServer.share(supervisor().vertx);

        assertRefused("a", SandboxSpec.WORKSPACE, "start it with --token-file");
    }

    private static SandboxSpec with(List<String> write, List<String> protect) {
        return new SandboxSpec(false, write, List.of(), true, protect);
    }

    private void assertRefused(String id, SandboxSpec spec, String why) {
        StepSpec step = sandboxed(step().id(id).shell("echo x >launched").build(), spec);
        Supervising runtime = supervisors.isEmpty() ? supervisor() : supervisors.get(0);
        runtime.launch(step);

        StepExited exit = runtime.exitOf(step);
        assertThat(exit.process().cause()).isEqualTo(ExitCause.LAUNCH_FAILED);
        assertThat(exit.process().diagnostic().orElseThrow()).contains(why);
        assertThat(exit.launchError()).contains(ErrorKind.SANDBOX);
        assertThat(workspace.resolve("launched")).doesNotExist();
    }

    private static StepSpec sandboxed(StepSpec step, SandboxSpec spec) {
        return step.withAgentSpec(
                step.agentSpec().withLoss(step.agentSpec().loss().withSandbox(Optional.of(spec))));
    }

    /** Runs each command in a shell of its own, and returns which of them succeeded. */
    private Map<String, Boolean> tried(String id, List<String> commands, Optional<SandboxSpec> spec, int port)
            throws IOException {
        furnish();
        StringBuilder script = new StringBuilder("export S=\"${LOOPKEEPER_CONTEXT_FILE%/*}\" L=$PPID\n");
        for (int number = 0; number < commands.size(); number++) {
            Files.writeString(workspace.resolve("case" + number), commands.get(number));
            script.append(
                    "sh case" + number + " >/dev/null 2>&1 && echo " + number + " yes || echo " + number + " no\n");
        }
        StepSpec free = step().id(id)
                .nonce(id)
                .env("O", outside.toString())
                .env("H", hidden.toString())
                .env("D", data.toString())
                .env("TMP_OF_ALL", System.getProperty("java.io.tmpdir"))
                .env("RT", Long.toString(ProcessHandle.current().pid()))
                .env("PORT", Integer.toString(port))
                .shell(script.toString())
                .build();
        StepSpec step = spec.map(sandbox -> sandboxed(free, sandbox)).orElse(free);
        Supervising runtime = supervisors.isEmpty() ? supervisor() : supervisors.get(0);
        runtime.launch(step);
        runtime.exitOf(step);
        Map<String, Boolean> worked = new LinkedHashMap<>();
        stdout(step)
                .lines()
                .map(line -> line.split(" ", 2))
                .forEach(words -> worked.put(commands.get(Integer.parseInt(words[0])), words[1].equals("yes")));
        return worked;
    }
}
