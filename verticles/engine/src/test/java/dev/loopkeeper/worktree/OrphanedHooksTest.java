package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.contract.WorktreeChannels.CommitMessage;
import dev.loopkeeper.contract.WorktreeChannels.CommitStep;
import dev.loopkeeper.contract.WorktreeChannels.EndHooks;
import dev.loopkeeper.contract.WorktreeChannels.PreparedWorktree;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What hooks of the repository leave running, and the git or the runtime that began them. */
class OrphanedHooksTest {
    @TempDir
    private Path folder;

    private final List<Process> begun = new ArrayList<>();
    private Sample sample;
    private Worktrees worktrees;
    private WorktreeLocation run;
    private String base;
    private Path worktree;
    private Path left;

    @BeforeEach
    void prepare() throws IOException {
        sample = new Sample(folder);
        worktrees = sample.worktrees();
        run = sample.location();
        base = sample.base();
        worktree = worktrees.prepare(Sample.prepare(run, base)).worktree();
        left = folder.resolve("left");
        Sample.write(worktree, "a.txt", "x\n");
    }

    @AfterEach
    void endAll() throws IOException, InterruptedException {
        left().forEach(ProcessHandle::destroyForcibly);
        for (Process each : begun) {
            each.destroyForcibly();
            assertThat(each.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    /** Begins something that leaves its parent and its session, reports it and then does the rest. */
    private void hook(String rest) throws IOException {
        Path hook = Sample.write(
                sample.repository,
                ".git/hooks/pre-commit",
                "#!/bin/sh\nchild=$(setsid sleep 250 > /dev/null 2>&1 & echo $!)\necho $child $$ > " + left
                        + ".new\nmv " + left + ".new " + left + "\n" + rest + "\n");
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Those that the hook reported, as far as they are there. */
    private List<ProcessHandle> left() throws IOException {
        if (!Files.exists(left)) {
            return List.of();
        }
        List<ProcessHandle> living = new ArrayList<>();
        for (String pid : Files.readString(left).strip().split(" ", -1)) {
            Optional<ProcessHandle> process =
                    ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive);
            process.ifPresent(living::add);
        }
        return living;
    }

    private CommitStep step() {
        return new CommitStep(run, base, base, new CommitMessage("s1", "s1", "", "PROGRESS"), true);
    }

    private void awaitNothingLeft() {
        Awaitility.await().untilAsserted(() -> assertThat(left()).isEmpty());
    }

    @Test
    void ofAGitThatIsKilledAloneNothingWorksBesideTheNext() throws IOException {
        hook("kill -9 $PPID\nsleep 250");

        assertThatThrownBy(() -> worktrees.commit(step()))
                .isInstanceOfSatisfying(
                        WorktreeException.class,
                        reported -> assertThat(reported.problem()).isEqualTo(Problem.KILLED));

        awaitNothingLeft();
        Files.delete(sample.repository.resolve(".git/hooks/pre-commit"));
        assertThat(worktrees.commit(step()).commit()).isPresent();
    }

    @Test
    void ofAHookThatAStopEndsNothingWorksOn() throws IOException {
        hook("sleep 250");
        CompletableFuture<StepCommitted> commit = CompletableFuture.supplyAsync(() -> worktrees.commit(step()));
        Awaitility.await().until(() -> Files.exists(left));

        assertThat(worktrees.end(new EndHooks(run.runId(), "s1"))).isEqualTo(1);

        assertThatThrownBy(commit::join).hasCauseInstanceOf(WorktreeException.class);
        awaitNothingLeft();
    }

    /** Its child and the filter of that continued, as long as the files lasted. */
    @Test
    void ofAGitThatIsKilledWhileItMakesAWorktreeNothingWorksOn() throws IOException {
        Sample.git(
                sample.repository,
                "config",
                "filter.odd.smudge",
                "echo $$ > " + left + ".new; mv " + left + ".new " + left + "; sleep 250; cat");
        Sample.write(sample.repository, ".git/info/attributes", "a.txt filter=odd\n");
        WorktreeLocation item = sample.item("x", 1);
        CompletableFuture<PreparedWorktree> made =
                CompletableFuture.supplyAsync(() -> worktrees.prepare(Sample.prepare(item, base)));
        Awaitility.await().until(() -> Files.exists(left));

        ProcessHandle.current()
                .children()
                .filter(child -> child.info()
                        .commandLine()
                        .filter(line -> line.contains("worktree add") && line.contains(folder.toString()))
                        .isPresent())
                .forEach(ProcessHandle::destroyForcibly);

        assertThatThrownBy(made::join).hasCauseInstanceOf(WorktreeException.class);
        awaitNothingLeft();
    }

    @Test
    void whatAHookThatWentToItsEndLeavesRunningIsEndedWithIt() throws IOException {
        hook("exit 0");

        assertThat(worktrees.commit(step()).commit()).isPresent();

        assertThat(left).exists();
        awaitNothingLeft();
    }

    @Test
    void whatAFilterLeavesRunningIsEndedWithTheCommit() throws IOException {
        Sample.git(
                sample.repository,
                "config",
                "filter.odd.clean",
                "setsid sleep 250 > /dev/null 2>&1 & echo $! > " + left + "; cat");
        Sample.write(sample.repository, ".git/info/attributes", "a.txt filter=odd\n");

        assertThat(worktrees.commit(step()).commit()).isPresent();

        assertThat(left).exists();
        awaitNothingLeft();
    }

    @Test
    void ofAKilledRuntimeAndItsGitNoHookWorksBesideTheNext() throws Exception {
        Process runtime = start(Map.of());
        Map<String, String> mark = new OrphanedGit(sample.data, Duration.ofMinutes(1)).mark(runtime.pid());
        Process hook = start(mark);
        Process another = start(Map.of());
        runtime.destroyForcibly();
        assertThat(runtime.waitFor(1, TimeUnit.MINUTES)).isTrue();

        assertThat(sample.worktrees().commit(step()).commit()).isPresent();

        assertThat(hook.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(another.isAlive()).isTrue();
    }

    private Process start(Map<String, String> mark) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sleep", "600");
        builder.environment().putAll(mark);
        Process process = builder.start();
        begun.add(process);
        return process;
    }
}
