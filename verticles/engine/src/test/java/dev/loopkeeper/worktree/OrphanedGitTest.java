package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A git that outlives its killed runtime, and the same command of the next one. */
class OrphanedGitTest {
    @TempDir
    private Path folder;

    private final List<Process> begun = new ArrayList<>();
    private Sample sample;
    private Path slow;

    @BeforeEach
    void slowGit() throws IOException {
        sample = new Sample(folder);
        slow = Files.writeString(
                folder.resolve("git-slow"),
                "#!/bin/sh\n: > \"$TOLD\"\nuntil [ -e \"$GO\" ]; do sleep 0.1; done\ngit \"$@\"\n");
        Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void endAll() throws InterruptedException {
        for (Process each : begun) {
            each.descendants().forEach(ProcessHandle::destroyForcibly);
            each.destroyForcibly();
            assertThat(each.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private Process start(Path where, Map<String, String> environment, String... words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words).directory(where.toFile());
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        Process process = builder.start();
        begun.add(process);
        return process;
    }

    /** The mark of a runtime that is gone. */
    private Map<String, String> ofAKilledRuntime(Path data) throws Exception {
        Process runtime = start(folder, Map.of(), "sleep", "600");
        Map<String, String> mark = new OrphanedGit(data, Duration.ofMinutes(1)).mark(runtime.pid());
        runtime.destroyForcibly();
        assertThat(runtime.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return mark;
    }

    /** Waits until it is past the moment of its start at which it is not yet what it will be. */
    private Process slowly(Path where, Map<String, String> mark, String... words) throws IOException {
        Path reported = folder.resolve("told-" + begun.size());
        List<String> command = new ArrayList<>(List.of(slow.toString()));
        command.addAll(List.of(words));
        Map<String, String> environment = new HashMap<>(mark);
        environment.put("TOLD", reported.toString());
        environment.put("GO", folder.resolve("go").toString());
        Process git = start(where, environment, command.toArray(String[]::new));
        Awaitility.await().until(() -> Files.exists(reported));
        return git;
    }

    @Test
    void onlyThoseOfADeadRuntimeOfThisDataFolderAreEnded() throws Exception {
        Process runtime = start(folder, Map.of(), "sleep", "600");
        OrphanedGit here = new OrphanedGit(sample.data, Duration.ofMinutes(1));
        Process ofALivingRuntime = slowly(sample.repository, here.mark(runtime.pid()));
        Process ofAnAgent = slowly(sample.repository, Map.of());
        Process ofAnotherFolder = slowly(sample.repository, ofAKilledRuntime(folder.resolve("another")));
        Process ours = slowly(sample.repository, here.mark());
        Process outlived = slowly(sample.repository, ofAKilledRuntime(sample.data));

        here.end();

        assertThat(outlived.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(List.of(ofALivingRuntime, ofAnAgent, ofAnotherFolder, ours)).allMatch(Process::isAlive);
    }

    /** It had not begun, and so held no lock, when the next runtime came. */
    @Test
    void aCommitThatOutlivesItsRuntimeNeverMeetsTheNextStep() throws Exception {
        WorktreeLocation run = sample.location();
        String base = sample.base();
        Path worktree = sample.worktrees().prepare(Sample.prepare(run, base)).worktree();
        Sample.write(worktree, "a.txt", "of the first step\n");
        Sample.git(worktree, "add", "--all");
        Map<String, String> mark = ofAKilledRuntime(sample.data);
        Process outlived = slowly(worktree, mark, "commit", "--quiet", "--message", "late\n\nLoopkeeper-Step: s1");

        Worktrees next = sample.worktrees();
        StepCommitted first = next.commit(Sample.commit(run, base, base, "s1"));
        Sample.write(worktree, "a.txt", "of the second step\n");
        Sample.git(worktree, "add", "--all");
        Files.createFile(folder.resolve("go"));
        assertThat(outlived.waitFor(1, TimeUnit.MINUTES)).isTrue();
        next.commit(Sample.commit(run, first.head(), base, "s2"));

        assertThat(Sample.log(worktree, base + "..")).containsExactly("s2: PROGRESS", "s1: PROGRESS");
        assertThat(Sample.git(worktree, "status", "--porcelain")).isEmpty();
    }
}
