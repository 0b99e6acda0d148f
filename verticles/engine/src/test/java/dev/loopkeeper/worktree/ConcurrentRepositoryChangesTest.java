package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.contract.WorktreeChannels.CommitStep;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.PreparedWorktree;
import dev.loopkeeper.contract.WorktreeChannels.PruneRun;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeFinished;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person, another server and moved folders change in a repository in the meantime. */
class ConcurrentRepositoryChangesTest {
    @TempDir
    private Path folder;

    private Sample sample;
    private WorktreeLocation run;
    private String base;

    @BeforeEach
    void repository() throws IOException {
        sample = new Sample(folder);
        run = sample.location();
        base = sample.base();
    }

    private List<String> worktrees() throws IOException {
        return Sample.git(sample.repository, "worktree", "list").lines().toList();
    }

    /** Git makes the registration first, and after it all that reports whose it is. */
    @Test
    void aWorktreeThatAnotherGitIsMakingAtThisMomentStaysThatGits() throws Exception {
        Path theirs = folder.toRealPath().resolve("elsewhere/worktree");
        Path slow = Sample.write(folder, "git-slow", """
                #!/bin/sh
                until [ -e "$1/go" ]; do sleep 0.1; done
                rm -r .git/worktrees/worktree
                exec git worktree add --quiet --detach "$1/elsewhere/worktree"
                """);
        assertThat(slow.toFile().setExecutable(true)).isTrue();
        Path begun = sample.repository.resolve(".git/worktrees/worktree");
        Sample.write(begun, "locked", "initializing");
        Process other = new ProcessBuilder(slow.toString(), folder.toRealPath().toString())
                .directory(sample.repository.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        AtomicReference<Thread> worker = new AtomicReference<>();
        CompletableFuture<PreparedWorktree> ours = CompletableFuture.supplyAsync(() -> {
            worker.set(Thread.currentThread());
            return sample.worktrees().prepare(Sample.prepare(run, base));
        });
        try {
            Awaitility.await()
                    .until(() -> worker.get() != null
                            && Arrays.stream(worker.get().getStackTrace())
                                    .anyMatch(frame -> frame.getMethodName().equals("awaitNoGit")));
        } finally {
            Files.createFile(folder.resolve("go"));
        }

        Path made = ours.get(1, TimeUnit.MINUTES).worktree();

        assertThat(other.waitFor()).isZero();
        assertThat(made.resolve("a.txt")).exists();
        assertThat(theirs.resolve("a.txt")).exists();
        assertThat(worktrees())
                .hasSize(3)
                .anyMatch(line -> line.startsWith(theirs.toString()))
                .anyMatch(line -> line.startsWith(made.toString()));
    }

    /** That of another server, which was a little faster. */
    @Test
    void aBranchThatAnotherRunMakesAtTheSameMomentIsThatRunsForEver() throws IOException {
        Path data = Files.createDirectories(folder.toRealPath().resolve("data-2"));
        WorktreeLocation first = new WorktreeLocation("first-1", sample.repository, "worktree", "shared");
        WorktreeLocation second = new WorktreeLocation("second-1", sample.repository, "worktree", "shared");
        Worktrees faster = new Worktrees(data, Sample.GIT);
        Worktrees slower = new Worktrees(sample.data, new Sample.Unsynced() {
            private boolean met;

            @Override
            public GitAnswer run(GitCall call, Consumer<ProcessHandle> started) throws GitException {
                if (!met && call.input().contains("create refs/heads/shared")) {
                    met = true;
                    faster.prepare(Sample.prepare(first, base));
                    faster.finish(new FinishWorktree(first, false, false));
                }
                return super.run(call, started);
            }
        });

        for (int time = 0; time < 2; time++) {
            assertThatThrownBy(() -> slower.prepare(Sample.prepare(second, base)))
                    .isInstanceOfSatisfying(
                            WorktreeException.class,
                            refused -> assertThat(refused.problem()).isEqualTo(Problem.BRANCH_TAKEN))
                    .hasMessageContaining("branch shared");
        }

        assertThat(Sample.git(sample.repository, "for-each-ref", "--format=%(refname)")
                        .lines())
                .containsExactly("refs/heads/main", "refs/heads/shared", "refs/loopkeeper/first-1/base/shared");
    }

    /** Git names folders as they are without links. */
    @Test
    void aDataFolderBehindALinkLeavesNoListOfWorktreesThatAreGone() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), sample.data);
        Worktrees linked = new Worktrees(link, Sample.GIT);
        Path made = linked.prepare(Sample.prepare(run, base)).worktree();
        Folders.delete(made);
        assertThat(linked.prepare(Sample.prepare(run, base)).made()).isTrue();

        linked.prune(new PruneRun(Sample.RUN, sample.repository));

        assertThat(worktrees()).hasSize(1);
        assertThat(made).doesNotExist();
    }

    /** It may hold an hour of work, of which it is unknown whether it was committed. */
    @Test
    void aWorktreeUnknownToItsRepositoryIsKept() throws IOException {
        Path worktree = sample.worktrees().prepare(Sample.prepare(run, base)).worktree();
        WorktreeLocation item = sample.item("f1", 1);
        Path ofItem = sample.worktrees().prepare(Sample.prepare(item, base)).worktree();
        Sample.write(worktree, "new", "work");
        Sample.write(ofItem, "new", "work");
        Sample.write(ofItem, "a.txt", "changed");
        CommitStep step = Sample.commit(item, base, base, "s1");
        Files.move(sample.repository, folder.resolve("moved"));

        WorktreeFinished ended = sample.worktrees().finish(new FinishWorktree(run, false, false));
        WorktreeFinished over = sample.worktrees().finish(new FinishWorktree(item, false, true));

        assertThat(List.of(ended, over)).allSatisfy(done -> {
            assertThat(done.reason()).isPresent();
            assertThat(done.reason().orElseThrow()).contains("is no worktree of " + sample.repository + " any more");
        });
        assertThat(worktree.resolve("new")).hasContent("work");
        assertThat(ofItem.resolve("new")).hasContent("work");
        Files.move(folder.resolve("moved"), sample.repository);
        assertThat(sample.worktrees().commit(step).commit()).isPresent();
        assertThat(sample.worktrees()
                        .finish(new FinishWorktree(item, false, true))
                        .reason())
                .isEmpty();
    }
}
