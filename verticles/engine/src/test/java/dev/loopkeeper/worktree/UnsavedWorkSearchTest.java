package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.WorktreeChannels.FindUnsavedWork;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.PruneRun;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** What would be lost with a run that is removed. */
class UnsavedWorkSearchTest extends WorktreeOfARun {
    private List<String> findings() {
        return findings(Optional.of(new CheckWorkspace(sample.repository, base)));
    }

    private List<String> findings(Optional<CheckWorkspace> origin) {
        return worktrees.find(new FindUnsavedWork(Sample.RUN, origin)).findings();
    }

    private void finds(String... texts) {
        assertThat(findings()).hasSize(texts.length);
        for (int index = 0; index < texts.length; index++) {
            assertThat(findings().get(index)).contains(texts[index]);
        }
    }

    @Test
    void worktreesOfARunWhoseRecordNamesNoRepositoryMayHoldWork() {
        assertThat(findings(Optional.empty()))
                .singleElement()
                .asString()
                .contains("does not name the repository of " + worktree);
    }

    @Test
    void nothingIsLostWithWhatTheBranchOfTheRunHas() throws IOException {
        Sample.write(worktree, "a.txt", "work");
        worktrees.commit(Sample.commit(run, base, base, "s1"));
        Sample.write(worktree, "ignored/build", "output");
        Sample.write(worktree, ".loopkeeper/dev.json", "{}");

        finds();
    }

    @Test
    void aChangedFileIsFoundAndNothingIsTouched() throws IOException {
        Sample.write(worktree, "a.txt", "work");

        finds(worktree + " has uncommitted changes");
        assertThat(Sample.git(worktree, "status", "--porcelain")).contains("M a.txt");
    }

    @Test
    void aFileThatGitDoesNotTrackIsFound() throws IOException {
        Sample.write(worktree, "new.txt", "work");

        finds("keep them with: git -C " + worktree + " add --all && git -C " + worktree + " commit");
    }

    @Test
    void aCommitOnADetachedHeadIsFoundUntilABranchHasIt() throws IOException {
        Sample.git(worktree, "checkout", "--quiet", "--detach");
        Sample.write(worktree, "a.txt", "work");
        String made = Sample.commitAll(worktree, "on no branch").substring(0, 12);

        finds("commit " + made + " is on no branch; keep it with: git -C " + sample.repository + " branch NAME "
                + made);

        Sample.git(sample.repository, "branch", "rescued", made);
        finds();
    }

    @Test
    void aCommitThatOnlyARemovedWorktreeKnewIsFound() throws IOException {
        Sample.git(worktree, "checkout", "--quiet", "--detach");
        Sample.write(worktree, "a.txt", "work");
        String made = Sample.commitAll(worktree, "on no branch").substring(0, 12);
        Sample.git(worktree, "checkout", "--quiet", run.branch());
        worktrees.finish(new FinishWorktree(run, false, false));
        assertThat(worktree).doesNotExist();

        finds("commit " + made + " is on no branch");
    }

    @Test
    void whatTheRunItselfHasUndoneIsNoFinding() throws IOException {
        Sample.write(worktree, "a.txt", "work");
        worktrees.commit(Sample.commit(run, base, base, "s1"));
        worktrees.reset(new ResetWorktree(run, base, "build.1"));

        finds();
    }

    @Test
    void anAttemptUnderWayIsFoundUntilItIsMerged() throws IOException {
        WorktreeLocation item = sample.item("f1", 1);
        Path attempt = worktrees.prepare(Sample.prepare(item, base)).worktree();
        Sample.write(attempt, "b.txt", "work");
        String head = worktrees.commit(Sample.commit(item, base, base, "f1.1")).head();

        finds("commit " + head.substring(0, 12) + " is on no branch");

        Sample.git(sample.repository, "merge", "--quiet", item.branch());
        finds();
    }

    @Test
    void aWorktreeWhoseFolderIsGoneHoldsNothingButItsCommits() throws IOException {
        Sample.git(worktree, "checkout", "--quiet", "--detach");
        Sample.write(worktree, "a.txt", "work");
        Sample.commitAll(worktree, "on no branch");
        Folders.delete(worktree);
        finds("is on no branch");

        Sample.git(sample.repository, "worktree", "prune");
        finds();
    }

    @Test
    void whatGitCannotSayIsFound() throws IOException {
        Files.writeString(worktree.resolve(".git"), "gitdir: /nowhere\n");
        finds("git cannot list the content of " + worktree);

        Folders.delete(sample.repository.resolve(".git/worktrees/worktree"));
        finds(worktree + " is no longer a worktree of its repository");

        Files.move(sample.repository, folder.resolve("moved"));
        finds("git cannot list the content of " + worktree);

        Folders.delete(worktree);
        finds();
    }

    @Test
    void anIndexThatCannotBeReadIsFound() throws IOException {
        Path index = Checkout.at(worktree).gitDir().resolve("index");
        Files.writeString(index, "damaged");

        finds("git cannot list the content of " + worktree);
    }

    @Test
    void repositoriesAddedWorktreesAndFilesPutAsideAreFound() throws IOException {
        Path app = Files.createDirectories(worktree.resolve("ignored/app"));
        Sample.git(app, "init", "--quiet");
        Path beside = worktree.resolveSibling("beside");
        Sample.git(worktree, "worktree", "add", "--quiet", "-b", "beside", beside.toString());
        Sample.write(beside, "new.txt", "work");
        Sample.write(worktree.resolveSibling(".worktree.lost-1"), "app/main.js", "work");

        assertThat(findings())
                .satisfiesExactlyInAnyOrder(
                        one -> assertThat(one).contains("ignored/app is a repository of its own"),
                        two -> assertThat(two).contains(beside + " has uncommitted changes"),
                        three -> assertThat(three).contains(".worktree.lost-1 has files that were set aside"));
    }

    @Test
    @DisabledIfSystemProperty(named = "user.name", matches = "root")
    void whatMayNotBeReadIsNotTreatedAsAbsent() throws IOException {
        Path runFolder = worktree.getParent();
        try {
            allow(worktree, "---------");
            finds("git cannot list the content of " + worktree);

            allow(runFolder, "rw-------");
            assertThatThrownBy(this::findings).hasMessageContaining("cannot be read");
        } finally {
            allow(runFolder, "rwx------");
            allow(worktree, "rwx------");
        }
    }

    private static void allow(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void nothingIsLostWithARunThatWasRemoved() throws IOException {
        Sample.write(worktree, "a.txt", "work");
        worktrees.prune(new PruneRun(Sample.RUN, sample.repository));

        finds();
    }
}
