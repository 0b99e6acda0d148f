package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeFinished;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeReset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an agent made in a worktree and exists nowhere else is not removed with it. */
class OnlyCopiesTest extends WorktreeOfARun {
    @CanIgnoreReturnValue
    private StepCommitted commit(String step) {
        String head = worktrees
                .commit(Sample.commit(run, base, base, step + "-before"))
                .head();
        return worktrees.commit(Sample.commit(run, head, base, step));
    }

    private WorktreeFinished finish() {
        return worktrees.finish(new FinishWorktree(run, false, false));
    }

    private void stays(String reason) {
        WorktreeFinished finished = finish();
        assertThat(finished.reason()).contains(reason);
        assertThat(finished.reason()).isPresent();
        assertThat(worktree).isDirectory();
    }

    private void goes() {
        assertThat(finish().reason()).isEmpty();
        assertThat(worktree).doesNotExist();
    }

    @CanIgnoreReturnValue
    private Path repository(String path) throws IOException {
        Path made = Files.createDirectories(worktree.resolve(path));
        Sample.git(made, "init", "--quiet");
        Sample.write(made, "main.js", "work");
        return made;
    }

    @ParameterizedTest
    @ValueSource(strings = {"app", "deep/er/app", "ignored/app"})
    void aRepositoryOfAnAgentStays(String path) throws IOException {
        Path app = repository(path);
        Sample.commitAll(app, "init");
        commit("s1");

        stays(path + " is a repository of its own");
        assertThat(app.resolve("main.js")).hasContent("work");
    }

    @Test
    void aCommitThatRecordsARepositoryIsReportedAtOnce() throws IOException {
        Sample.commitAll(repository("app"), "init");

        StepCommitted committed = worktrees.commit(Sample.commit(run, base, base, "s1"));

        assertThat(committed.warnings())
                .containsExactly(
                        "only the newest commit of the nested repository is recorded, none of its files: app is a repository of its own; "
                                + "the repository exists only in " + worktree);
        assertThat(worktrees
                        .commit(Sample.commit(run, committed.head(), base, "s2"))
                        .warnings())
                .isEmpty();
    }

    @Test
    void aRepositoryWithoutACommitStaysAndIsReportedAtOnce() throws IOException {
        repository("a/b");
        Sample.write(worktree, "new.txt", "new");

        StepCommitted committed = worktrees.commit(Sample.commit(run, base, base, "s1"));

        assertThat(committed.warnings())
                .containsExactly("a/b is a nested repository without a commit, so none of its files is committed; "
                        + "the repository exists only in " + worktree);
        assertThat(committed.changes().files()).isEqualTo(1);
        stays("a/b is a repository of its own");
    }

    @Test
    void aBareRepositoryStaysUnlessTheBaseHasItsFiles() throws IOException {
        Path bare = Files.createDirectories(worktree.resolve("mirror.git"));
        Sample.git(bare, "init", "--quiet", "--bare");
        String head = commit("s1").head();
        stays("mirror.git is a bare repository");

        WorktreeLocation next = new WorktreeLocation("fix-2", sample.repository, "worktree", "loopkeeper/fix-2");
        Files.createDirectories(sample.data.resolve("runs/fix-2"));
        Path copy = worktrees.prepare(Sample.prepare(next, head)).worktree();
        Files.createDirectories(copy.resolve("mirror.git/refs"));
        assertThat(worktrees.finish(new FinishWorktree(next, false, false)).reason())
                .isEmpty();
    }

    @Test
    void aRepositoryThatKeepsItsDataElsewhereStays() throws IOException {
        Path app = Files.createDirectories(worktree.resolve("app"));
        Sample.git(
                app,
                "init",
                "--quiet",
                "--separate-git-dir",
                folder.resolve("elsewhere").toString());

        stays("app is a repository of its own");
    }

    @Test
    void aWorktreeThatAnAgentAddedStays() throws IOException {
        Sample.git(worktree, "worktree", "add", "--quiet", "-b", "side", "side");
        commit("s1");

        stays("side is a worktree that was added to this repository");
        assertThat(worktree.resolve("side/a.txt")).exists();
    }

    @Test
    void aWorktreeThatAnAgentAddedBesideStays() throws IOException {
        Path beside = worktree.resolveSibling("beside");
        Sample.git(worktree, "worktree", "add", "--quiet", "--detach", beside.toString());

        stays(beside + " is a worktree that was added to the repository");
        assertThat(beside.resolve("a.txt")).exists();
    }

    private Path submodule() throws IOException {
        Path library = Files.createDirectory(folder.resolve("library"));
        Sample.git(library, "init", "--quiet");
        Sample.write(library, "lib.c", "1");
        Sample.commitAll(library, "init");
        Sample.git(
                worktree,
                "-c",
                "protocol.file.allow=always",
                "submodule",
                "--quiet",
                "add",
                library.toRealPath().toString(),
                "lib");
        return worktree.resolve("lib");
    }

    @Test
    void aSubmoduleStaysWithWhatNoRemoteHas() throws IOException {
        Path submodule = submodule();
        assertThat(worktrees.commit(Sample.commit(run, base, base, "s1")).warnings())
                .isEmpty();

        Sample.write(submodule, "lib.c", "2");
        stays("the submodule lib has changes that are not committed");

        Sample.commitAll(submodule, "change");
        String head = worktrees.commit(Sample.commit(run, base, base, "s1")).head();
        assertThat(worktrees.commit(Sample.commit(run, head, base, "s2")).warnings())
                .singleElement()
                .asString()
                .contains("the submodule lib has commits that are on none of its remotes");
        stays("the submodule lib has commits that are on none of its remotes");

        Sample.git(submodule, "push", "--quiet", "origin", "HEAD:refs/heads/pushed");
        goes();
    }

    /** Git removes a repository that lies where it writes a file. */
    @Test
    void aResetDoesNotWriteOverARepository() throws IOException {
        Files.delete(worktree.resolve("a.txt"));
        Path app = repository("a.txt");
        Sample.commitAll(app, "init");
        commit("s1");

        WorktreeReset reset = worktrees.reset(new ResetWorktree(run, base, "u1"));

        assertThat(worktree.resolve("a.txt")).hasContent("one\ntwo\nthree");
        Path kept = worktree.resolveSibling(".worktree.lost-1");
        assertThat(reset.kept()).contains("refs/loopkeeper/fix-1/undone/u1 and in " + kept);
        assertThat(kept.resolve("a.txt/main.js")).hasContent("work");
    }

    @Test
    void whatAResetUndoesInASubmoduleStaysReachable() throws IOException {
        Path submodule = submodule();
        String head = commit("s1").head();
        Sample.write(submodule, "lib.c", "2");

        worktrees.reset(new ResetWorktree(run, head, "u1"));

        assertThat(submodule.resolve("lib.c")).hasContent("1");
        assertThat(Sample.git(submodule, "show", "refs/loopkeeper/fix-1/undone/u1:lib.c"))
                .isEqualTo("2");
        stays("the submodule lib has commits that are on none of its remotes");
    }

    @Test
    void aLockedWorktreeStays() throws IOException {
        Sample.git(sample.repository, "worktree", "lock", "--reason", "I look at it", worktree.toString());

        stays("the worktree is locked (I look at it); git worktree unlock " + worktree + " ends that");
    }

    @Test
    void allReasonsAreNamed() throws IOException {
        Sample.commitAll(repository("app"), "init");
        commit("s1");
        Sample.write(worktree, "new.txt", "new");

        stays("app is a repository of its own; it has uncommitted changes");
    }

    @Test
    void commitsThatOnlyTheWorktreeKnowsStayReachable() throws IOException {
        Sample.write(worktree, "a.txt", "replaced");
        String replaced = Sample.commitAll(worktree, "replaced");
        Sample.git(worktree, "commit", "--quiet", "--amend", "--message", "better");
        Sample.git(worktree, "checkout", "--quiet", "--detach", base);
        Sample.write(worktree, "b.txt", "1");
        Sample.commitAll(worktree, "older");
        Sample.write(worktree, "b.txt", "2");
        String newer = Sample.commitAll(worktree, "newer");
        Sample.git(worktree, "update-ref", "refs/worktree/mine", newer);
        Sample.git(worktree, "checkout", "--quiet", run.branch());

        goes();

        assertThat(Sample.git(
                                sample.repository,
                                "for-each-ref",
                                "--format=%(objectname)",
                                "refs/loopkeeper/fix-1/undone")
                        .lines())
                .containsExactlyInAnyOrder(replaced, newer);
    }

    @Test
    void anAttemptWithARepositoryOfItsOwnStaysWithItsBranch() throws IOException {
        WorktreeLocation item = sample.item("f1", 1);
        Path attempt = worktrees.prepare(Sample.prepare(item, base)).worktree();
        Path app = Files.createDirectories(attempt.resolve("app"));
        Sample.git(app, "init", "--quiet");
        Sample.write(app, "main.js", "work");
        Sample.commitAll(app, "init");

        WorktreeFinished dropped = worktrees.finish(new FinishWorktree(item, false, true));
        WorktreeFinished ended = finish();

        assertThat(dropped.reason()).contains("app is a repository of its own");
        assertThat(ended.reason()).isEmpty();
        assertThat(app.resolve("main.js")).hasContent("work");
        assertThat(Sample.git(attempt, "rev-parse", "HEAD")).isNotEmpty();
    }
}
