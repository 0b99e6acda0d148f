package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.Changes;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.ItemMerged;
import dev.loopkeeper.contract.WorktreeChannels.MergeItem;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeFinished;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitException;
import dev.loopkeeper.git.GitProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole life of a run and an item, in which each command is cut off at one of its calls of git and then repeated by
 * a runtime that knows nothing of the first.
 */
class WorktreeCrashTest {
    /** Each of the two ways at each call, and not one of them. */
    private static final boolean ALL = Boolean.getBoolean("loopkeeper.test.allCuts");

    @TempDir
    private Path folder;

    /** Our own end: no code runs after it. */
    private static final class SimulatedKill extends Error {
        private static final long serialVersionUID = 1;
    }

    /** Lets the calls before the one that is cut off go through. */
    private static final class InterruptedGit extends Sample.Unsynced {
        private final int at;
        private final boolean alone;
        private int calls;

        /** @param alone whether only git dies, after its work, and we live on for a while */
        InterruptedGit(int at, boolean alone) {
            this.at = at;
            this.alone = alone;
        }

        @Override
        public GitAnswer run(GitCall call, Consumer<ProcessHandle> started) throws GitException {
            if (calls > at) {
                return new GitAnswer(137, new byte[0], false, "killed");
            }
            if (calls == at && !alone) {
                throw new SimulatedKill();
            }
            GitAnswer answer = super.run(call, started);
            calls++;
            return calls > at ? new GitAnswer(137, new byte[0], false, "killed") : answer;
        }

        boolean isOver() {
            return calls < at;
        }
    }

    /** Executes a command in its own way. */
    private interface GitCommandRunner {
        @CanIgnoreReturnValue
        <A> A command(Function<Worktrees, A> work);
    }

    @Test
    void eachCommandMayBeCutOffAtAnyCallOfGit() throws IOException {
        Sample sample = new Sample(folder);
        boolean further = true;
        for (int at = 0; further; at++) {
            boolean[] reached = new boolean[1];
            for (boolean alone : ALL ? new boolean[] {false, true} : new boolean[] {at % 2 == 1}) {
                int call = at;
                live(sample, "fix-" + at + (alone ? "-git" : "-all"), new GitCommandRunner() {
                    @Override
                    public <A> A command(Function<Worktrees, A> work) {
                        InterruptedGit cut = new InterruptedGit(call, alone);
                        try {
                            A done = work.apply(new Worktrees(sample.data, cut));
                            if (cut.isOver()) {
                                return done;
                            }
                        } catch (SimulatedKill | WorktreeException expected) {
                            assertThat(cut.isOver()).isFalse();
                        }
                        reached[0] = true;
                        return work.apply(sample.worktrees());
                    }
                });
            }
            further = reached[0];
        }
    }

    /** A git that is killed in the midst of its work, wherever that happens to be, until the command ends well. */
    @Test
    void gitItselfMayBeKilledInItsWork() throws IOException {
        Sample sample = new Sample(folder);
        Random random = new Random(16);
        Path slow = Files.writeString(
                folder.resolve("git-killed"),
                "#!/bin/sh\nexec 3<&0\ngit \"$@\" <&3 &\npid=$!\nsleep 0.00$LOOPKEEPER_TEST_TIME\nkill -9 $pid 2>/dev/null\nwait $pid\n");
        Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (int round = 0; round < Integer.getInteger("loopkeeper.test.gitKills", 2); round++) {
            live(sample, "fix-" + round, new GitCommandRunner() {
                @Override
                public <A> A command(Function<Worktrees, A> work) {
                    GitProgram killed = new Sample.Unsynced(slow.toString()) {
                        @Override
                        public GitAnswer run(GitCall call, Consumer<ProcessHandle> started) throws GitException {
                            String time = Integer.toString(random.nextInt(10));
                            return super.run(call.with(Map.of("LOOPKEEPER_TEST_TIME", time)), started);
                        }
                    };
                    for (int attempt = 0; attempt < 3; attempt++) {
                        try {
                            return work.apply(new Worktrees(sample.data, killed));
                        } catch (WorktreeException expected) {
                            assertThat(expected).isNotNull();
                        }
                    }
                    return work.apply(sample.worktrees());
                }
            });
        }
    }

    /** By a limit on what a file of git may hold, at which its writes fail as on a full disk. */
    @Test
    void theDiskMayBeFullAtAnyWrite() throws IOException {
        Sample sample = new Sample(folder);
        Set<String> failed = new TreeSet<>();
        for (String blocks : ALL ? List.of("0", "1", "2", "3", "4") : List.of("0", "1")) {
            GitProgram full = limited(blocks);
            live(sample, "full-" + blocks, new GitCommandRunner() {
                @Override
                public <A> A command(Function<Worktrees, A> work) {
                    try {
                        return work.apply(new Worktrees(sample.data, full));
                    } catch (WorktreeException refused) {
                        failed.add(refusedByTheDisk(refused));
                    }
                    return work.apply(sample.worktrees());
                }
            });
        }
        assertThat(failed).contains("add", "update-ref");

        Sample.write(sample.repository, "large", "x".repeat(100_000));
        String base = Sample.commitAll(sample.repository, "large");
        assertThatThrownBy(() ->
                        new Worktrees(sample.data, limited("50")).prepare(Sample.prepare(sample.location(), base)))
                .isInstanceOfSatisfying(
                        WorktreeException.class,
                        refused -> assertThat(refusedByTheDisk(refused)).isEqualTo("worktree"));
        assertThat(sample.worktrees()
                        .prepare(Sample.prepare(sample.location(), base))
                        .worktree()
                        .resolve("large"))
                .hasSize(100_000);
    }

    private GitProgram limited(String blocks) throws IOException {
        Path script = Files.writeString(
                folder.resolve("git-limited-" + blocks),
                "#!/bin/sh\ntrap '' XFSZ\nulimit -f " + blocks + "\nexec git \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new Sample.Unsynced(script.toString());
    }

    /** Answers which command of git it was. */
    private static String refusedByTheDisk(WorktreeException refused) {
        assertThat(refused.problem()).as(refused.getMessage()).isEqualTo(WorktreeException.Problem.DISK);
        assertThat(refused).hasMessageContaining("free disk space");
        return refused.getMessage().split(" ", 3)[1];
    }

    private static void live(Sample sample, String id, GitCommandRunner runtime) throws IOException {
        Files.createDirectories(sample.data.resolve("runs").resolve(id));
        String base = sample.base();
        WorktreeLocation run = new WorktreeLocation(id, sample.repository, "worktree", "loopkeeper/" + id);
        WorktreeLocation item = new WorktreeLocation(id, sample.repository, "worktrees/f1.1", "loopkeeper/items/" + id);
        Sample.write(sample.repository, "ignored/output", "built");

        Path worktree = runtime.command(port -> port.prepare(Sample.prepare(run, base, "ignored")))
                .worktree();
        assertThat(worktree.resolve("ignored/output")).hasContent("built");
        Sample.write(worktree, "a.txt", "one\ntwo\n3\n");
        StepCommitted first = runtime.command(port -> port.commit(Sample.commit(run, base, base, "s1")));
        assertThat(first.changes()).isEqualTo(new Changes(1, 1, 1));

        Path itemTree = runtime.command(port -> port.prepare(Sample.prepare(item, base)))
                .worktree();
        Sample.write(itemTree, "a.txt", "one\ntwo\nIII\n");
        Sample.write(itemTree, "item/new", "new\n");
        Files.delete(itemTree.resolve("sub/b.txt"));
        StepCommitted second = runtime.command(port -> port.commit(Sample.commit(item, base, base, "f1")));
        assertThat(second.changes()).isEqualTo(new Changes(3, 2, 2));
        Sample.write(itemTree, "left", "left\n");
        // The third line of both changes: it conflicts, and nothing happens.
        ItemMerged conflict = runtime.command(port -> port.merge(new MergeItem(run, base, item, "f1", 1, false)));
        assertThat(conflict.conflicts()).containsExactly("a.txt");
        assertThat(conflict.head()).isEqualTo(first.head());
        Sample.write(itemTree, "a.txt", "one\ntwo\nthree\n");
        runtime.command(port -> port.commit(Sample.commit(item, second.head(), base, "f1b")));
        ItemMerged merged = runtime.command(port -> port.merge(new MergeItem(run, base, item, "f1", 2, false)));
        assertThat(merged.conflicts()).isEmpty();
        assertThat(merged.changes()).isEqualTo(new Changes(3, 2, 1));
        WorktreeFinished archived = runtime.command(port -> port.finish(new FinishWorktree(item, false, true)));
        assertThat(archived.reason()).isEmpty();
        assertThat(archived.kept()).isPresent();

        Sample.write(worktree, "a.txt", "wrong\n");
        StepCommitted wrong = runtime.command(port -> port.commit(Sample.commit(run, merged.head(), base, "s2")));
        Sample.write(worktree, "a.txt", "worse\n");
        Sample.write(worktree, "worse", "worse\n");
        runtime.command(port -> port.reset(new ResetWorktree(run, merged.head(), "s2")));
        assertThat(worktree.resolve("worse")).doesNotExist();
        assertThat(Sample.git(worktree, "status", "--porcelain")).isEmpty();
        assertThat(Sample.git(worktree, "rev-parse", "HEAD")).isEqualTo(merged.head());
        assertThat(runtime.command(port -> port.finish(new FinishWorktree(run, false, false)))
                        .reason())
                .isEmpty();

        Path repository = sample.repository;
        assertThat(Sample.log(repository, base + ".." + run.branch()))
                .containsExactlyInAnyOrder(
                        "Merge item f1",
                        "f1b: PROGRESS",
                        "f1.1: what was not committed",
                        "f1: PROGRESS",
                        "s1: PROGRESS");
        assertThat(Sample.git(repository, "ls-tree", "-r", "--name-only", run.branch()))
                .isEqualTo(".gitignore\na.txt\nitem/new\nleft");
        String undone = "refs/loopkeeper/" + id + "/undone/s2";
        assertThat(Sample.git(repository, "show", undone + ":worse")).isEqualTo("worse");
        assertThat(Sample.git(repository, "rev-parse", undone + "^")).isEqualTo(wrong.head());
        assertThat(refs(repository, id))
                .containsExactly(
                        "refs/heads/loopkeeper/" + id,
                        "refs/loopkeeper/" + id + "/base/loopkeeper/" + id,
                        "refs/loopkeeper/" + id + "/branches/loopkeeper/items/" + id,
                        undone);
        assertThat(Sample.git(repository, "worktree", "list").lines()).hasSize(1);
        assertThat(Sample.git(repository, "status", "--porcelain")).isEmpty();
        try (var left = Files.walk(repository.resolve(".git"))) {
            assertThat(left.map(Path::toString).filter(name -> name.endsWith(".lock")))
                    .isEmpty();
        }
        try (var left = Files.list(sample.data.resolve("runs").resolve(id))) {
            assertThat(left.map(path -> path.getFileName().toString())).isSubsetOf("worktrees");
        }
    }

    /** Leaves out commits that a repeated command made again in a later second, so that they differ; they are kept. */
    private static Set<String> refs(Path repository, String id) throws IOException {
        return new TreeSet<>(List.of(Sample.git(repository, "for-each-ref", "--format=%(refname)")
                .lines()
                .filter(name -> name.contains("/" + id) && !name.contains("/undone/merge-"))
                .filter(name -> !name.contains("/undone/left-"))
                .toArray(String[]::new)));
    }
}
