package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.Changes;
import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CheckedWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CommitsDiff;
import dev.loopkeeper.contract.CheckoutChannels.DiffCommits;
import dev.loopkeeper.contract.CheckoutChannels.MergeRun;
import dev.loopkeeper.contract.RunMerged;
import dev.loopkeeper.contract.WorktreeChannels.CommitMessage;
import dev.loopkeeper.contract.WorktreeChannels.CommitStep;
import dev.loopkeeper.contract.WorktreeChannels.EndHooks;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.ItemMerged;
import dev.loopkeeper.contract.WorktreeChannels.MergeItem;
import dev.loopkeeper.contract.WorktreeChannels.PreparedWorktree;
import dev.loopkeeper.contract.WorktreeChannels.PruneRun;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeFinished;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeReset;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorktreesTest {
    @TempDir
    private Path folder;

    private Sample sample;
    private Worktrees worktrees;
    private WorktreeLocation run;
    private String base;

    @BeforeEach
    void repository() throws IOException {
        sample = new Sample(folder);
        worktrees = sample.worktrees();
        run = sample.location();
        base = sample.base();
    }

    @CanIgnoreReturnValue
    private Path prepared(WorktreeLocation location) {
        return worktrees.prepare(Sample.prepare(location, base)).worktree();
    }

    @CanIgnoreReturnValue
    private StepCommitted commit(WorktreeLocation location, String from, String step) {
        return worktrees.commit(Sample.commit(location, from, base, step));
    }

    private static void fails(Problem problem, ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        WorktreeException.class,
                        failure -> assertThat(failure.problem())
                                .as(failure.getMessage())
                                .isEqualTo(problem));
    }

    @Test
    void aWorkspaceDeepInARepositoryIsFound() throws IOException {
        CheckedWorkspace checked = worktrees.check(new CheckWorkspace(sample.repository.resolve("sub"), "HEAD"));

        assertThat(checked).isEqualTo(new CheckedWorkspace(sample.repository, "sub", base, List.of(), List.of()));
        assertThat(worktrees
                        .check(new CheckWorkspace(sample.repository, "main"))
                        .prefix())
                .isEmpty();
    }

    @Test
    void whatCanHaveNoWorktreeIsSaidBeforeAnythingStarts() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path plain = Files.createDirectory(folder.resolve("plain"));
        Path bare = Files.createDirectory(folder.resolve("bare"));
        Sample.git(empty, "init", "--quiet");
        Sample.git(bare, "init", "--quiet", "--bare");

        fails(Problem.NO_COMMIT, () -> worktrees.check(new CheckWorkspace(empty, "HEAD")));
        fails(Problem.NO_REPOSITORY, () -> worktrees.check(new CheckWorkspace(plain, "HEAD")));
        fails(Problem.NO_REPOSITORY, () -> worktrees.check(new CheckWorkspace(bare, "HEAD")));
        fails(Problem.NO_REPOSITORY, () -> worktrees.check(new CheckWorkspace(folder.resolve("none"), "HEAD")));
        fails(Problem.UNKNOWN_COMMIT, () -> worktrees.check(new CheckWorkspace(sample.repository, "no-such")));
        fails(Problem.UNKNOWN_COMMIT, () -> worktrees.check(new CheckWorkspace(sample.repository, "--all")));
        Worktrees without = new Worktrees(sample.data, new GitProgram("no-such-git"));
        fails(Problem.GIT_UNUSABLE, () -> without.check(new CheckWorkspace(sample.repository, "HEAD")));
    }

    /** Another repository there would only cover up what is lost. */
    @Test
    void whereARepositoryIsBrokenNoOtherOneIsRequested() throws IOException {
        Path linked = folder.resolve("linked");
        Sample.git(sample.repository, "worktree", "add", "--quiet", linked.toString());
        Files.move(sample.repository, folder.resolve("moved"));
        Path bare = Files.createDirectory(folder.resolve("bare"));
        Sample.git(bare, "init", "--quiet", "--bare");

        assertThatThrownBy(() -> worktrees.check(new CheckWorkspace(linked, "HEAD")))
                .hasMessageContaining(linked.resolve(".git").toString())
                .hasMessageContaining(sample.repository.toString())
                .hasMessageContaining("git worktree repair")
                .hasMessageNotContaining("git init");
        assertThatThrownBy(() -> worktrees.check(new CheckWorkspace(bare, "HEAD")))
                .hasMessageContaining("the repository has no work tree")
                .hasMessageEndingWith("git -C " + bare + " worktree add PATH");
    }

    @Test
    void aRepositoryWhoseWorkTreeIsElsewhereIsRefusedWithTheReason() throws IOException {
        Sample.git(
                sample.repository,
                "config",
                "core.worktree",
                sample.repository.getParent().toString());

        assertThatThrownBy(() -> worktrees.check(new CheckWorkspace(sample.repository, "HEAD")))
                .isInstanceOfSatisfying(
                        WorktreeException.class,
                        refused -> assertThat(refused.problem()).isEqualTo(Problem.NO_REPOSITORY))
                .hasMessageContaining("core.worktree of the repository");
    }

    @Test
    void aWorktreeIsMadeOnceAndFoundAfterwardsWithItsChanges() throws IOException {
        PreparedWorktree made = worktrees.prepare(Sample.prepare(run, base));
        Sample.write(made.worktree(), "new", "new");
        PreparedWorktree found = worktrees.prepare(Sample.prepare(run, base));

        assertThat(made.made()).isTrue();
        assertThat(made.head()).isEqualTo(base);
        assertThat(made.worktree()).isEqualTo(sample.data.resolve("runs/fix-1/worktree"));
        assertThat(found.made()).isFalse();
        assertThat(made.worktree().resolve("new")).hasContent("new");
        assertThat(Sample.git(made.worktree(), "symbolic-ref", "HEAD")).isEqualTo("refs/heads/loopkeeper/fix-1");
    }

    @Test
    void refusesAForeignBranchAndReusesTheRunsOwn() throws IOException {
        Sample.git(sample.repository, "branch", "loopkeeper/fix-1");
        fails(Problem.BRANCH_TAKEN, () -> worktrees.prepare(Sample.prepare(run, base)));
        Sample.git(sample.repository, "branch", "--delete", "loopkeeper/fix-1");

        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "changed");
        String head = commit(run, base, "s1").head();
        Sample.git(sample.repository, "worktree", "remove", "--force", worktree.toString());
        assertThat(worktrees.prepare(Sample.prepare(run, base)).head()).isEqualTo(head);
        assertThat(worktree.resolve("a.txt")).hasContent("changed");

        Sample.git(sample.repository, "worktree", "remove", "--force", worktree.toString());
        Sample.git(sample.repository, "checkout", "--quiet", "loopkeeper/fix-1");
        fails(Problem.BRANCH_TAKEN, () -> worktrees.prepare(Sample.prepare(run, base)));
        WorktreeLocation odd = new WorktreeLocation(Sample.RUN, sample.repository, "worktree", "a..b");
        fails(Problem.BAD_BRANCH, () -> worktrees.prepare(Sample.prepare(odd, base)));
    }

    @Test
    void anIncompleteWorktreeIsCompletedOrPutAside() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "work", "of an hour");
        Files.delete(worktree.resolve(".git"));
        assertThat(worktrees.prepare(Sample.prepare(run, base)).made()).isTrue();
        assertThat(worktree.resolve("work")).doesNotExist();
        assertThat(sample.data.resolve("runs/fix-1/.worktree.lost-1/work")).hasContent("of an hour");

        // Half made: it was never whole.
        Files.delete(sample.data.resolve("runs/fix-1/.worktree.ready"));
        Files.delete(worktree.resolve("a.txt"));
        assertThat(worktrees.prepare(Sample.prepare(run, base)).made()).isTrue();
        assertThat(worktree.resolve("a.txt")).exists();
        assertThat(sample.data.resolve("runs/fix-1/.worktree.lost-2")).doesNotExist();

        Sample.git(sample.repository, "worktree", "remove", "--force", worktree.toString());
        fails(Problem.WORKTREE_GONE, () -> commit(run, base, "s1"));
        Files.move(sample.repository, folder.resolve("elsewhere"));
        fails(Problem.REPOSITORY_MOVED, () -> worktrees.prepare(Sample.prepare(run, base)));
    }

    @CanIgnoreReturnValue
    private CheckedWorkspace newRun(Path workspace, String branch, String... copy) {
        CheckWorkspace.NewRun run = new CheckWorkspace.NewRun(List.of("loopkeeper/x", branch), List.of(copy));
        return worktrees.check(new CheckWorkspace(workspace, "HEAD", Optional.of(run)));
    }

    @Test
    void whatARunCouldNotMakeIsSaidBeforeAnythingStarts() throws IOException {
        Sample.git(sample.repository, "branch", "taken");
        Sample.git(sample.repository, "branch", "above/below");
        for (String branch : List.of("taken", "taken/one", "above", "loopkeeper/x/y")) {
            fails(Problem.BRANCH_TAKEN, () -> newRun(sample.repository, branch));
        }
        fails(Problem.BAD_BRANCH, () -> newRun(sample.repository, "two words"));
        fails(Problem.NOT_IGNORED, () -> newRun(sample.repository, "free", "sub"));
        Sample.write(sample.repository, "ignored/x", "x\n");
        CheckedWorkspace checked = newRun(sample.repository, "free", "ignored", "absent", "ignored/*");
        assertThat(checked.notes()).isEmpty();
        assertThat(checked.absent()).containsExactly("absent", "ignored/*");
    }

    /** As where a run of another user was the first to need them; who may write everything is not refused. */
    @Test
    void reportsUnwritableBranchFoldersBeforeTheStart() throws IOException {
        for (String part : List.of("worktrees", "refs/heads/loopkeeper", "logs/refs/heads/loopkeeper")) {
            Path kept =
                    Files.createDirectories(sample.repository.resolve(".git").resolve(part));
            Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("r-xr-xr-x"));
            if (Files.isWritable(kept)) {
                assertThat(newRun(sample.repository, "loopkeeper/x").notes()).isEmpty();
            } else {
                assertThatThrownBy(() -> newRun(sample.repository, "loopkeeper/x"))
                        .hasMessageContaining("cannot write " + kept);
            }
            Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void aPathMayHaveLineBreaks() throws IOException {
        Path odd = Files.createDirectories(folder.resolve("a b\nc'd"));
        Sample other = new Sample(odd);

        CheckedWorkspace checked = other.worktrees().check(new CheckWorkspace(other.repository.resolve("sub"), "HEAD"));

        assertThat(checked.repository()).isEqualTo(other.repository);
        assertThat(checked.prefix()).isEqualTo("sub");
        Path worktree = other.worktrees()
                .prepare(Sample.prepare(other.location(), other.base()))
                .worktree();
        Sample.write(worktree, "a.txt", "changed\n");
        StepCommitted step =
                other.worktrees().commit(Sample.commit(other.location(), other.base(), other.base(), "s1"));
        other.worktrees()
                .merge(new MergeRun(
                        Sample.RUN, other.repository, other.location().branch(), false, Optional.empty(), false));
        assertThat(other.base()).isEqualTo(step.head());
    }

    @Test
    void whatAPersonShouldKnowBeforeARunBeginsIsSaid() throws IOException {
        Sample.write(sample.repository, "a.txt", "changed\n");
        Sample.write(sample.repository, "untracked.txt", "x\n");
        Path fresh = Files.createDirectories(sample.repository.resolve("fresh"));

        assertThat(newRun(fresh, "free").notes())
                .satisfiesExactly(
                        dirty -> assertThat(dirty).contains("uncommitted changes (a.txt)"),
                        empty -> assertThat(empty).contains("no folder fresh"));
        assertThat(worktrees.check(new CheckWorkspace(fresh, "HEAD")).notes()).isEmpty();
        Sample.git(sample.repository, "symbolic-ref", "HEAD", "refs/heads/begun");
        fails(Problem.NO_COMMIT, () -> newRun(sample.repository, "free"));
        assertThat(worktrees
                        .check(new CheckWorkspace(sample.repository, "main"))
                        .base())
                .isEqualTo(base);
    }

    @Test
    void aRepositoryIsFoundWhereTheFolderOfTheRunIsGone() {
        assertThat(worktrees
                        .check(new CheckWorkspace(sample.repository.resolve("gone/deep"), "HEAD"))
                        .repository())
                .isEqualTo(sample.repository);
    }

    @Test
    void whatGitIgnoresIsCarriedOverAndNeverCommitted() throws IOException {
        Sample.write(sample.repository, "ignored/deep/output", "built");
        PreparedWorktree made = worktrees.prepare(Sample.prepare(run, base, "ignored", "not-there"));

        assertThat(made.worktree().resolve("ignored/deep/output")).hasContent("built");
        assertThat(commit(run, base, "s1").commit()).isEmpty();
        WorktreeLocation item = sample.item("f1", 1);
        fails(Problem.NOT_IGNORED, () -> worktrees.prepare(Sample.prepare(item, base, "sub")));
        fails(Problem.NOT_IGNORED, () -> worktrees.prepare(Sample.prepare(item, base, "../data")));
    }

    @Test
    void aStepIsOneCommitWithTrailersAndWithoutWhatIsOurs() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "one\ntwo\n3\nfour\n");
        Sample.write(worktree, ".loopkeeper/dev.json", "{}");
        Sample.write(worktree, "sub/.loopkeeper/judge.json", "{}");
        Sample.write(worktree, "ignored/output", "built");
        Files.delete(worktree.resolve("sub/b.txt"));

        StepCommitted done = worktrees.commit(new CommitStep(
                run,
                base,
                base,
                new CommitMessage("build.1.dev.1: PROGRESS", "build.1.dev.1", "n1", "PROGRESS"),
                false));

        assertThat(done.commit()).contains(done.head());
        assertThat(done.changes()).isEqualTo(new Changes(2, 2, 2));
        assertThat(done.total()).isEqualTo(new Changes(2, 2, 2));
        assertThat(done.tree()).isEqualTo(Sample.git(worktree, "rev-parse", "HEAD^{tree}"));
        assertThat(Sample.git(worktree, "log", "-1", "--format=%an <%ae>%n%B")).isEqualTo("""
                        Ada <ada@example.org>
                        build.1.dev.1: PROGRESS

                        Loopkeeper-Run: fix-1
                        Loopkeeper-Step: build.1.dev.1
                        Loopkeeper-Verdict: PROGRESS
                        Loopkeeper-Attempt: n1""");
        assertThat(Sample.git(worktree, "ls-tree", "-r", "--name-only", "HEAD")).isEqualTo(".gitignore\na.txt");

        Sample.write(worktree, "a.txt", "five\n");
        StepCommitted next = commit(run, done.head(), "build.2.dev.1");
        assertThat(next.changes()).isEqualTo(new Changes(1, 1, 4));
        assertThat(next.total()).isEqualTo(new Changes(2, 1, 4));
    }

    @Test
    void noChangeIsNoCommitButHasATree() throws IOException {
        prepared(run);

        StepCommitted done = commit(run, base, "s1");

        assertThat(done)
                .isEqualTo(new StepCommitted(
                        Optional.empty(),
                        base,
                        Sample.git(sample.repository, "rev-parse", "main^{tree}"),
                        Changes.NONE,
                        Changes.NONE,
                        List.of()));
    }

    @Test
    void aCommitThatWasMadeAndNotRecordedIsFound() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "x\n");
        StepCommitted first = commit(run, base, "s1");
        Sample.write(worktree, "later", "by nobody knows whom");
        StepCommitted again = sample.worktrees().commit(Sample.commit(run, base, base, "s1"));

        assertThat(again).isEqualTo(first);
        assertThat(Sample.log(worktree, base + "..")).containsExactly("s1: PROGRESS");
        assertThat(commit(run, base, "s2").changes().files()).isEqualTo(2);
    }

    @Test
    void aRepositoryWithoutAnAuthorCommitsAsLoopkeeper() throws IOException {
        Sample.git(sample.repository, "config", "user.name", "");
        Sample.git(sample.repository, "config", "user.email", "");
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "x\n");

        assertThat(commit(run, base, "s1").commit()).isPresent();

        assertThat(Sample.git(worktree, "log", "-1", "--format=%an %ae %cn %ce"))
                .isEqualTo("Loopkeeper loopkeeper@localhost Loopkeeper loopkeeper@localhost");

        Sample.git(sample.repository, "config", "user.name", "Alice");
        Sample.git(sample.repository, "config", "user.email", "alice@example.org");
        Sample.write(worktree, "a.txt", "y\n");
        assertThat(commit(run, Sample.git(worktree, "rev-parse", "HEAD"), "s2").commit())
                .isPresent();
        assertThat(Sample.git(worktree, "log", "-1", "--format=%an %ae %cn %ce"))
                .as("a name that was given while this process ran")
                .isEqualTo("Alice alice@example.org Alice alice@example.org");
    }

    @Test
    void commitsOfTheAgentItselfCountAndSoDoThoseOnAnotherBranch() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "x\n");
        String own = Sample.commitAll(worktree, "by the agent");
        StepCommitted first = commit(run, base, "s1");
        assertThat(first.commit()).contains(own);
        assertThat(first.changes()).isEqualTo(new Changes(1, 1, 3));

        Sample.git(worktree, "checkout", "--quiet", "-b", "its-own");
        Sample.write(worktree, "b.txt", "x\n");
        String there = Sample.commitAll(worktree, "elsewhere");
        Sample.write(worktree, "c.txt", "x\n");
        StepCommitted second = commit(run, own, "s2");
        assertThat(second.changes().files()).isEqualTo(2);
        assertThat(Sample.git(worktree, "rev-parse", "HEAD^")).isEqualTo(there);
        assertThat(Sample.git(worktree, "symbolic-ref", "HEAD")).isEqualTo("refs/heads/loopkeeper/fix-1");

        Sample.git(worktree, "checkout", "--quiet", "--detach", base);
        Sample.write(worktree, "d.txt", "x\n");
        StepCommitted third = commit(run, second.head(), "s3");
        assertThat(Sample.git(worktree, "rev-parse", "HEAD^")).isEqualTo(second.head());
        assertThat(Sample.git(worktree, "ls-files")).contains("d.txt").doesNotContain("c.txt");

        Sample.git(worktree, "reset", "--quiet", "--hard", base);
        StepCommitted fourth = commit(run, third.head(), "s4");
        assertThat(fourth.head()).isEqualTo(base);
        assertThat(Sample.git(worktree, "rev-parse", "refs/loopkeeper/fix-1/undone/left-by-s4"))
                .isEqualTo(third.head());
    }

    @Test
    void newFilesBelowATrackedFolderAreCommitted() throws IOException {
        Sample.write(sample.repository, "pages/list.md", "list\n");
        base = Sample.commitAll(sample.repository, "pages");
        Path worktree = prepared(run);
        Sample.write(worktree, "pages/book/apples.md", "apples\n");

        assertThat(commit(run, base, "s1").changes().files()).isEqualTo(1);
        assertThat(Sample.git(worktree, "show", "HEAD:pages/book/apples.md")).isEqualTo("apples");
    }

    /** Also beside a file of ours. */
    @ParameterizedTest
    @ValueSource(strings = {"", ".loopkeeper/ours"})
    void everyKindOfChangeIsCommitted(String ours) throws IOException {
        for (String file : List.of("gone", "mode", "link", "file-to-folder", "folder-to-file/a", "folder-to-file/b")) {
            Sample.write(sample.repository, file, file + "\n");
        }
        base = Sample.commitAll(sample.repository, "kinds");
        Path worktree = prepared(run);
        Sample.write(worktree, "a \"quoted\" näme", "new\n");
        Sample.write(worktree, "new/folder/file", "new\n");
        Files.delete(worktree.resolve("gone"));
        Files.setPosixFilePermissions(worktree.resolve("mode"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.delete(worktree.resolve("link"));
        Files.createSymbolicLink(worktree.resolve("link"), Path.of("mode"));
        Files.delete(worktree.resolve("file-to-folder"));
        Sample.write(worktree, "file-to-folder/in", "new\n");
        Files.delete(worktree.resolve("folder-to-file/a"));
        Files.delete(worktree.resolve("folder-to-file/b"));
        Files.delete(worktree.resolve("folder-to-file"));
        Sample.write(worktree, "folder-to-file", "new\n");
        if (!ours.isEmpty()) {
            Sample.write(worktree, ours, "not committed\n");
        }

        Changes changes = commit(run, base, "s1").changes();

        assertThat(changes.files()).isEqualTo(10);
        assertThat(Sample.git(worktree, "status", "--porcelain")).isEqualTo(ours.isEmpty() ? "" : "?? .loopkeeper/");
    }

    @Test
    void aStepWithoutChangesRunsNoGitCommit() throws IOException {
        Path calls = folder.resolve("calls");
        Path git = Sample.write(folder, "counting-git", "#!/bin/sh\necho \"$1\" >>'" + calls + "'\nexec git \"$@\"\n");
        Files.setPosixFilePermissions(git, PosixFilePermissions.fromString("rwx------"));
        worktrees = new Worktrees(sample.data, new GitProgram(git.toString()));
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "changed\n");
        String head = commit(run, base, "s1").head();
        Files.delete(calls);

        assertThat(commit(run, head, "s2").commit()).isEmpty();

        assertThat(Files.readAllLines(calls)).containsExactlyInAnyOrder("ls-files", "add", "diff-tree", "diff-index");
    }

    @Test
    void aMergeThatChangesNoFileIsCommitted() throws IOException {
        Path worktree = prepared(run);
        Sample.write(sample.repository, "theirs.txt", "theirs\n");
        String theirs = Sample.commitAll(sample.repository, "theirs");
        Sample.git(worktree, "merge", "--quiet", "--strategy=ours", "--no-commit", "main");

        String head = commit(run, base, "s1").commit().orElseThrow();

        assertThat(Sample.git(worktree, "rev-parse", head + "^1", head + "^2")).isEqualTo(base + "\n" + theirs);
    }

    @Test
    void conflictMarkersAreNeverCommitted() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "ours\n");
        String head = commit(run, base, "s1").head();
        Sample.write(sample.repository, "a.txt", "theirs\n");
        Sample.commitAll(sample.repository, "theirs");
        assertThatThrownBy(() -> Sample.git(worktree, "merge", "main")).isInstanceOf(AssertionError.class);

        assertThatThrownBy(() -> commit(run, head, "s2")).isInstanceOfSatisfying(WorktreeException.class, failure -> {
            assertThat(failure.problem()).isEqualTo(Problem.UNMERGED);
            assertThat(failure.files()).containsExactly("a.txt");
        });
        worktrees.reset(new ResetWorktree(run, head, "x"));
        assertThat(worktree.resolve("a.txt")).hasContent("ours");
        assertThat(commit(run, head, "s2").commit()).isEmpty();
    }

    @Test
    void anAttemptIsUndoneAndStaysReachable() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "committed\n");
        String head = commit(run, base, "s1").head();
        Sample.write(worktree, "a.txt", "not committed\n");
        Sample.write(worktree, "new/untracked", "untracked\n");
        Sample.write(worktree, "ignored/output", "built");
        Sample.write(worktree, ".loopkeeper/dev.json", "{}");

        WorktreeReset reset = worktrees.reset(new ResetWorktree(run, base, "build.1"));
        WorktreeReset again = sample.worktrees().reset(new ResetWorktree(run, base, "build.1"));

        assertThat(reset).isEqualTo(again);
        String kept = reset.kept().orElseThrow();
        assertThat(kept).isEqualTo("refs/loopkeeper/fix-1/undone/build.1");
        assertThat(worktree.resolve("a.txt")).hasContent("one\ntwo\nthree\n");
        assertThat(worktree.resolve("new")).doesNotExist();
        assertThat(worktree.resolve("ignored/output")).exists();
        assertThat(worktree.resolve(".loopkeeper/dev.json")).exists();
        assertThat(Sample.git(worktree, "rev-parse", "HEAD")).isEqualTo(base);
        assertThat(Sample.git(worktree, "rev-parse", kept + "^")).isEqualTo(head);
        assertThat(Sample.git(worktree, "show", kept + ":new/untracked")).isEqualTo("untracked");
        assertThat(worktrees.reset(new ResetWorktree(run, base, "build.2")).kept())
                .isEmpty();
    }

    @CanIgnoreReturnValue
    private ItemMerged merge(WorktreeLocation item, String id) {
        return worktrees.merge(new MergeItem(run, base, item, id, 1, false));
    }

    @Test
    void approvedItemsAreMergedAndConflictsNamed() throws IOException {
        Path worktree = prepared(run);
        WorktreeLocation one = sample.item("f1", 1);
        WorktreeLocation two = sample.item("f2", 1);
        WorktreeLocation three = sample.item("f3", 1);
        Sample.write(prepared(one), "a.txt", "ONE\ntwo\nthree\n");
        Sample.write(prepared(two), "a.txt", "uno\ntwo\nthree\n");
        Sample.write(prepared(three), "a.txt", "one\ntwo\nthree\nfour\n");
        commit(one, base, "f1");
        commit(two, base, "f2");
        commit(three, base, "f3");

        ItemMerged first = merge(one, "f1");
        ItemMerged second = merge(two, "f2");
        ItemMerged third = merge(three, "f3");

        assertThat(first.conflicts()).isEmpty();
        assertThat(first.changes()).isEqualTo(new Changes(1, 1, 1));
        assertThat(second.conflicts()).containsExactly("a.txt");
        assertThat(second.head()).isEqualTo(first.head());
        assertThat(third.total()).isEqualTo(new Changes(1, 2, 1));
        assertThat(worktree.resolve("a.txt")).hasContent("ONE\ntwo\nthree\nfour\n");
        assertThat(Sample.git(worktree, "status", "--porcelain")).isEmpty();
        assertThat(merge(one, "f1").commit()).isEqualTo(first.commit());
        assertThat(merge(three, "f3")).isEqualTo(third);
        assertThat(Sample.git(worktree, "rev-parse", "HEAD")).isEqualTo(third.head());

        WorktreeLocation nothing = sample.item("f4", 1);
        prepared(nothing);
        assertThat(merge(nothing, "f4").commit()).isEmpty();
        assertThat(merge(nothing, "f4").conflicts()).isEmpty();
    }

    /** Its commit was refused, and a person let it be: it is approved with what it did. */
    @Test
    void whatAnApprovedItemDidNotCommitIsMergedToo() throws IOException {
        prepared(run);
        WorktreeLocation item = sample.item("f1", 1);
        Path worktree = prepared(item);
        Sample.write(worktree, "a.txt", "of its first step\n");
        commit(item, base, "s1");
        Sample.write(worktree, "new", "of its last step\n");
        Sample.write(worktree, ".loopkeeper/own", "own");

        String merged = merge(item, "f1").commit().orElseThrow();

        assertThat(Sample.git(sample.repository, "show", merged + ":new")).isEqualTo("of its last step");
        assertThat(Sample.git(sample.repository, "ls-tree", "-r", "--name-only", merged)
                        .lines())
                .containsExactly(".gitignore", "a.txt", "new", "sub/b.txt");
        assertThat(merge(item, "f1").commit()).contains(merged);
    }

    @Test
    void aWorktreeGoesAtTheEndUnlessItIsToStayOrHoldsWork() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "new", "work");
        assertThat(worktrees.finish(new FinishWorktree(run, false, false)).reason())
                .isPresent();
        assertThat(worktree.resolve("new")).exists();
        String head = commit(run, base, "s1").head();
        Sample.write(worktree, "ignored/output", "built");
        assertThat(worktrees.finish(new FinishWorktree(run, true, false)))
                .isEqualTo(new WorktreeFinished(Optional.of("its manifest says keep: true"), Optional.empty()));

        WorktreeFinished done = worktrees.finish(new FinishWorktree(run, false, false));
        assertThat(done).isEqualTo(new WorktreeFinished(Optional.empty(), Optional.empty()));
        assertThat(sample.worktrees().finish(new FinishWorktree(run, false, false)))
                .isEqualTo(done);
        assertThat(worktree).doesNotExist();
        assertThat(Sample.git(sample.repository, "rev-parse", "loopkeeper/fix-1"))
                .isEqualTo(head);
        assertThat(Sample.git(sample.repository, "worktree", "list").lines()).hasSize(1);
        assertThat(worktrees.prepare(Sample.prepare(run, base)).head()).isEqualTo(head);
    }

    @Test
    void theFolderOfAttemptsGoesWithTheRunUnlessSomethingIsInIt() throws IOException {
        prepared(run);
        Path attempts = prepared(sample.item("f1", 1)).getParent();
        Path others = Files.createFile(attempts.resolve("others"));

        worktrees.finish(new FinishWorktree(run, true, false));
        assertThat(attempts).isDirectoryContaining(others::equals);
        Files.delete(others);
        worktrees.finish(new FinishWorktree(run, true, false));
        assertThat(attempts).doesNotExist();
    }

    @Test
    void anItemsBranchIsArchivedWithWhatItsAttemptLeft() throws IOException {
        WorktreeLocation item = sample.item("f1", 1);
        Path worktree = prepared(item);
        Sample.write(worktree, "a.txt", "x");
        String head = commit(item, base, "s1").head();
        Sample.write(worktree, "left", "left");

        WorktreeFinished done = worktrees.finish(new FinishWorktree(item, false, true));

        assertThat(worktrees.finish(new FinishWorktree(item, false, true))).isEqualTo(done);
        assertThat(Sample.git(sample.repository, "rev-parse", done.kept().orElseThrow()))
                .isEqualTo(head);
        assertThat(Sample.git(sample.repository, "show", "refs/loopkeeper/fix-1/undone/worktrees/f1.1:left"))
                .isEqualTo("left");
        assertThat(Sample.git(sample.repository, "branch", "--list").strip()).isEqualTo("* main");
        worktrees.prune(new PruneRun(Sample.RUN, sample.repository));
        assertThat(Sample.git(sample.repository, "for-each-ref", "--format=%(refname)"))
                .isEqualTo("refs/heads/main");
    }

    @Test
    void aRunThatIsRemovedLeavesOnlyItsBranch() throws IOException {
        prepared(run);
        prepared(sample.item("f1", 1));

        worktrees.prune(new PruneRun(Sample.RUN, sample.repository));

        assertThat(Sample.git(sample.repository, "worktree", "list").lines()).hasSize(1);
        assertThat(Sample.git(sample.repository, "for-each-ref", "--format=%(refname)")
                        .lines())
                .containsExactly("refs/heads/loopkeeper/fix-1", "refs/heads/main");
        worktrees.prune(new PruneRun(Sample.RUN, sample.repository));
        worktrees.prune(new PruneRun(Sample.RUN, folder.resolve("gone")));
    }

    @Test
    void aDiffIsCutAtAWholeLineAndCountsAll() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "1\n".repeat(2000));
        Files.write(worktree.resolve("binary"), new byte[] {0, 1, 2});
        Sample.write(worktree, "odd\nname", "x\n");
        String head = commit(run, base, "s1").head();

        CommitsDiff whole = worktrees.diff(new DiffCommits(sample.repository, base, head, 1 << 20));
        CommitsDiff cut = worktrees.diff(new DiffCommits(sample.repository, base, head, 1000));

        assertThat(whole.cut()).isFalse();
        assertThat(whole.text()).startsWith("diff --git a/a.txt b/a.txt\n").contains("+1\n", "-three\n");
        assertThat(whole.files())
                .extracting(CommitsDiff.FileChange::path, CommitsDiff.FileChange::binary)
                .containsExactly(tuple("a.txt", false), tuple("binary", true), tuple("\"odd\\nname\"", false));
        assertThat(whole.total()).isEqualTo(new Changes(3, 2001, 3));
        assertThat(cut.cut()).isTrue();
        assertThat(cut.text()).hasSizeLessThanOrEqualTo(1000).endsWith("\n");
        assertThat(whole.text()).startsWith(cut.text());
        assertThat(cut.total()).isEqualTo(whole.total());
        fails(Problem.UNKNOWN_COMMIT, () -> worktrees.diff(new DiffCommits(sample.repository, base, "no-such", 1000)));
    }

    @CanIgnoreReturnValue
    private RunMerged merge(boolean squash) {
        return worktrees.merge(
                new MergeRun(Sample.RUN, sample.repository, run.branch(), squash, Optional.empty(), false));
    }

    private RunMerged planned(boolean squash) {
        return worktrees.merge(
                new MergeRun(Sample.RUN, sample.repository, run.branch(), squash, Optional.empty(), false, true));
    }

    @Test
    void aDryRunOfAMergeSaysWhatItWouldDoAndChangesNothing() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "changed\n");
        commit(run, base, "s1");
        Sample.write(sample.repository, "mine", "mine\n");
        String before = Sample.commitAll(sample.repository, "mine");
        Sample.write(sample.repository, "mine", "not committed\n");
        fails(Problem.NOT_CLEAN, () -> planned(false));
        Sample.write(sample.repository, "mine", "mine\n");
        String refs = Sample.git(sample.repository, "for-each-ref");

        for (boolean squash : new boolean[] {false, true}) {
            RunMerged planned = planned(squash);
            assertThat(planned.into()).isEqualTo("main");
            assertThat(planned.changes()).isEqualTo(new Changes(1, 1, 3));
            assertThat(planned.commit()).isEmpty();
        }

        assertThat(sample.base()).isEqualTo(before);
        assertThat(Sample.git(sample.repository, "for-each-ref")).isEqualTo(refs);
        assertThat(Sample.git(sample.repository, "status", "--porcelain")).isEmpty();
        assertThat(merge(false).commit()).isPresent();
        assertThat(planned(false).already()).isTrue();
    }

    @Test
    void aDryRunOfAMergeNamesTheConflicts() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "changed\n");
        commit(run, base, "s1");
        Sample.write(sample.repository, "a.txt", "mine\n");
        Sample.commitAll(sample.repository, "mine");

        assertThat(planned(false).conflicts()).containsExactly("a.txt");
        assertThat(sample.repository.resolve("a.txt")).hasContent("mine");
    }

    @Test
    void aPersonMergesARunIntoACleanCheckout() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "changed\n");
        commit(run, base, "s1");
        Sample.write(sample.repository, "mine", "mine\n");
        Sample.commitAll(sample.repository, "mine");

        Sample.write(sample.repository, "mine", "not committed\n");
        fails(Problem.NOT_CLEAN, () -> merge(false));
        Sample.write(sample.repository, "mine", "mine\n");
        RunMerged merged = merge(false);
        assertThat(merged.into()).isEqualTo("main");
        assertThat(merged.commit()).contains(sample.base());
        assertThat(merged.changes()).isEqualTo(new Changes(1, 1, 3));
        assertThat(sample.repository.resolve("a.txt")).hasContent("changed");
        assertThat(Sample.git(sample.repository, "status", "--porcelain")).isEmpty();
        assertThat(merge(false).already()).isTrue();
        assertThat(merge(true).already()).isTrue();
    }

    /** Git would fill the index and leave the branch where it is. */
    @Test
    void ignoresMergeOptionsOfThePerson() throws IOException {
        Sample.write(prepared(run), "a.txt", "changed\n");
        String head = commit(run, base, "s1").head();
        Sample.git(sample.repository, "config", "branch.main.mergeOptions", "--squash --no-commit");
        Sample.git(sample.repository, "config", "merge.ff", "false");

        assertThat(merge(false).commit()).contains(head);

        assertThat(sample.base()).isEqualTo(head);
        assertThat(Sample.git(sample.repository, "status", "--porcelain")).isEmpty();
        Sample.write(prepared(run), "a.txt", "again\n");
        String again = commit(run, head, "s2").head();
        Sample.git(sample.repository, "config", "branch.main.mergeOptions", "--strategy=ours");
        assertThat(merge(false).commit()).contains(again);
        assertThat(sample.base()).isEqualTo(again);
        assertThat(sample.repository.resolve("a.txt")).hasContent("again");
    }

    @Test
    void aRunIsSquashedIntoOneCommitAndAConflictTouchesNothing() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "first\n");
        String head = commit(run, base, "s1").head();
        Sample.write(worktree, "a.txt", "second\n");
        commit(run, head, "s2");
        Sample.write(sample.repository, "a.txt", "mine\n");
        String mine = Sample.commitAll(sample.repository, "mine");

        RunMerged conflict = merge(true);
        assertThat(conflict.conflicts()).containsExactly("a.txt");
        assertThat(conflict.commit()).isEmpty();
        assertThat(sample.base()).isEqualTo(mine);
        assertThat(Sample.git(sample.repository, "status", "--porcelain")).isEmpty();

        Sample.git(sample.repository, "reset", "--quiet", "--hard", base);
        assertThat(merge(true).commit()).isPresent();
        assertThat(Sample.log(sample.repository, base + "..")).containsExactly("Squash run fix-1");
        assertThat(merge(true).already()).isTrue();
        Sample.git(sample.repository, "checkout", "--quiet", "--detach");
        fails(Problem.WRONG_BRANCH, () -> merge(false));
    }

    @Test
    void hooksRunOnlyWhenAskedAndMayRefuse() throws IOException {
        Path hook = Sample.write(sample.repository, ".git/hooks/pre-commit", "#!/bin/sh\necho no >&2\nexit 1\n");
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "x\n");

        fails(
                Problem.HOOK_REFUSED,
                () -> worktrees.commit(
                        new CommitStep(run, base, base, new CommitMessage("s1", "s1", "", "PROGRESS"), true)));
        assertThat(commit(run, base, "s1").commit()).isPresent();
    }

    /** Linters print what passed first; the first 600 characters used to be all that was kept. */
    @Test
    void theEndOfAHooksOutputIsShownAndAllOfItIsInALog() throws IOException {
        Path hook = Sample.write(
                sample.repository,
                ".git/hooks/pre-commit",
                "#!/bin/sh\nseq -f 'check %g .......... Passed' 9000\necho 'app.py:3 undefined name foo'\nexit 1\n");
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
        Sample.write(prepared(run), "a.txt", "x\n");
        CommitStep step = new CommitStep(run, base, base, new CommitMessage("s1", "s1", "", "PROGRESS"), true);
        Path log = sample.data.resolve("runs").resolve(run.runId()).resolve("hook.log");

        assertThatThrownBy(() -> worktrees.commit(step))
                .hasMessageStartingWith("git commit ended with 1: check 8998 ..........")
                .hasMessageEndingWith("app.py:3 undefined name foo; all of the output is in " + log);
        assertThat(log)
                .content()
                .hasSize(65_536)
                .endsWith("check 9000 .......... Passed\napp.py:3 undefined name foo\n");
    }

    /** The branch lost the tests, although the step had changed none of them. */
    @Test
    void protectedFilesStayTrackedAlthoughTheAgentHasThemIgnored() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, ".gitignore", "*.txt\n");
        Sample.git(worktree, "rm", "-q", "-r", "--cached", "a.txt", "sub");
        Sample.git(worktree, "add", ".gitignore");
        Sample.git(worktree, "commit", "-q", "-m", "untracked");

        StepCommitted done = worktrees.commit(new CommitStep(
                run, base, base, new CommitMessage("s1", "s1", "", "PROGRESS"), false, List.of("sub/**")));

        assertThat(Sample.git(worktree, "diff", "--name-status", base, done.head()))
                .contains("a.txt")
                .doesNotContain("sub");
    }

    /** An agent put other tests on the branch than those in the folder. */
    @Test
    void protectedFilesStayAsTheyWereWhateverAFilterOrTheIndexSays() throws IOException {
        Path worktree = prepared(run);
        Sample.git(worktree, "config", "filter.f.clean", "sed s/a/z/");
        Sample.write(worktree, ".gitattributes", "a.txt filter=f\n");
        Sample.write(worktree, "a.txt", Sample.git(worktree, "show", "HEAD:a.txt") + "\n");
        Sample.git(worktree, "config", "core.fileMode", "false");
        Sample.git(worktree, "update-index", "--chmod=+x", "sub/b.txt");

        StepCommitted done = worktrees.commit(new CommitStep(
                run, base, base, new CommitMessage("s1", "s1", "", "PROGRESS"), false, List.of("a.txt", "sub")));

        assertThat(Sample.git(worktree, "diff", "--name-only", base, done.head()))
                .isEqualTo(".gitattributes");
    }

    /** They cannot be added: one is behind a link, and in place of the other is a folder. */
    @Test
    void protectedFilesThatAPersonReplacedAreRemoved() throws IOException {
        Path worktree = prepared(run);
        Files.move(worktree.resolve("sub"), worktree.resolve("moved"));
        Files.createSymbolicLink(worktree.resolve("sub"), Path.of("moved"));
        Files.delete(worktree.resolve("a.txt"));
        Sample.write(worktree, "a.txt/b", "x");

        StepCommitted done = worktrees.commit(new CommitStep(
                run, base, base, new CommitMessage("s1", "s1", "", "PROGRESS"), false, List.of("sub", "a.txt")));

        assertThat(Sample.git(worktree, "ls-tree", "-r", "--name-only", done.head()))
                .contains("a.txt/b", "moved/b.txt")
                .doesNotContain("sub/b.txt");
    }

    @Test
    void reportsAHookThatRefusesSilently() throws IOException {
        Path hook = Sample.write(sample.repository, ".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n");
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
        Sample.write(prepared(run), "a.txt", "x\n");
        CommitStep step = new CommitStep(run, base, base, new CommitMessage("s1", "s1", "", "PROGRESS"), true);
        assertThatThrownBy(() -> worktrees.commit(step))
                .hasMessage("git commit ended with 1 without a message, perhaps because a hook refused the commit");
    }

    /** By the system, which says nothing: a file became larger than files may be. */
    @Test
    void reportsTheFileSizeLimitOfGit() throws IOException {
        Path hook = Sample.write(sample.repository, ".git/hooks/pre-commit", "#!/bin/sh\nkill -XFSZ $PPID\n");
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
        Sample.write(prepared(run), "a.txt", "x\n");
        CommitStep step = new CommitStep(run, base, base, new CommitMessage("s1", "s1", "", "PROGRESS"), true);
        assertThatThrownBy(() -> worktrees.commit(step)).hasMessageContaining("ulimit -f");
        fails(Problem.DISK, () -> worktrees.commit(step));
        Sample.write(sample.repository, ".git/hooks/pre-commit", "#!/bin/sh\nkill -9 $PPID\n");
        fails(Problem.KILLED, () -> worktrees.commit(step));
        Files.delete(hook);
        assertThat(worktrees.commit(step).changes().files()).isEqualTo(1);
    }

    @Test
    void onlyTheHooksOfAStepThatIsToStopAreEnded() throws Exception {
        Path begun = sample.repository.resolve("begun");
        Path hook =
                Sample.write(sample.repository, ".git/hooks/pre-commit", "#!/bin/sh\n: > " + begun + "\nsleep 250\n");
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
        Sample.write(prepared(run), "a.txt", "x\n");
        CommitStep step = new CommitStep(run, base, base, new CommitMessage("s1", "s1", "", "PROGRESS"), true);
        CompletableFuture<StepCommitted> commit = CompletableFuture.supplyAsync(() -> worktrees.commit(step));
        Awaitility.await().until(() -> Files.exists(begun));

        assertThat(worktrees.end(new EndHooks(run.runId(), "s2"))).isZero();
        assertThat(worktrees.end(new EndHooks("another", "s1"))).isZero();
        assertThat(commit).isNotDone();
        assertThat(worktrees.end(new EndHooks(run.runId(), "s1"))).isEqualTo(1);

        assertThatThrownBy(commit::join)
                .cause()
                .isInstanceOfSatisfying(
                        WorktreeException.class,
                        reported -> assertThat(reported.problem()).isEqualTo(Problem.HOOK_ENDED));
    }

    @Test
    void aLockThatAKilledGitLeftIsRemoved() throws IOException {
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "x\n");
        Path own = sample.repository.resolve(".git/worktrees/worktree/index.lock");
        Path others = sample.repository.resolve(".git/index.lock");
        Files.createFile(own);
        Files.createFile(others);
        Files.createFile(sample.repository.resolve(".git/refs/heads/loopkeeper/fix-1.lock"));

        assertThat(commit(run, base, "s1").commit()).isPresent();
        assertThat(own).doesNotExist();
        assertThat(others).exists();
    }

    @Test
    void filesOfEveryKindComeThrough() throws IOException {
        Path worktree = prepared(run);
        Path script = Sample.write(worktree, "run.sh", "#!/bin/sh\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(worktree.resolve("link"), Path.of("a.txt"));
        Files.move(worktree.resolve("a.txt"), worktree.resolve("A.txt"));
        Sample.write(worktree, "-n", "an option\n");
        Sample.git(Files.createDirectory(worktree.resolve("begun")), "init", "--quiet");
        Sample.write(worktree, "begun/file", "of a repository without commit\n");

        String head = commit(run, base, "s1").head();

        assertThat(Sample.git(worktree, "ls-tree", "-r", "--format=%(objectmode) %(path)", head))
                .isEqualTo("100644 -n\n100644 .gitignore\n100644 A.txt\n120000 link\n100755 run.sh\n100644 sub/b.txt");
    }
}
