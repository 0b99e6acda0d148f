package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.contract.Changes;
import dev.loopkeeper.contract.CheckoutChannels.MergeRun;
import dev.loopkeeper.contract.RunMerged;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person merges a run into a branch that no checkout is on. */
class MergeIntoTest {
    @TempDir
    private Path folder;

    private Sample sample;
    private Worktrees worktrees;
    private WorktreeLocation run;
    private Path worktree;
    private String base;

    @BeforeEach
    void changedByARun() throws IOException {
        sample = new Sample(folder);
        worktrees = sample.worktrees();
        base = sample.base();
        run = sample.location();
        worktree = worktrees.prepare(Sample.prepare(run, base)).worktree();
        Sample.write(worktree, "a.txt", "changed\n");
        worktrees.commit(Sample.commit(run, base, base, "s1"));
        Sample.git(sample.repository, "branch", "release");
    }

    private RunMerged into(String branch, boolean squash) {
        return worktrees.merge(
                new MergeRun(Sample.RUN, sample.repository, run.branch(), squash, Optional.of(branch), false));
    }

    private String checkout() throws IOException {
        return Sample.git(sample.repository, "status", "--porcelain=v2", "--branch")
                + Files.readString(sample.repository.resolve("a.txt"));
    }

    @Test
    void theBranchHasItAndTheCheckoutIsAsItWas() throws IOException {
        Sample.write(sample.repository, "a.txt", "not committed\n");
        String before = checkout();

        RunMerged merged = into("release", false);

        assertThat(merged.into()).isEqualTo("release");
        assertThat(merged.changes()).isEqualTo(new Changes(1, 1, 3));
        assertThat(Sample.git(sample.repository, "show", "release:a.txt")).isEqualTo("changed");
        assertThat(sample.base()).isEqualTo(base);
        assertThat(checkout()).isEqualTo(before);
        assertThat(into("release", false).already()).isTrue();
    }

    @Test
    void aDivergedBranchGetsAMergeOrASquashCommit() throws IOException {
        Sample.git(sample.repository, "checkout", "--quiet", "release");
        Sample.write(sample.repository, "sub/b.txt", "theirs\n");
        String theirs = Sample.commitAll(sample.repository, "theirs");
        Sample.git(sample.repository, "branch", "other");
        Sample.git(sample.repository, "checkout", "--quiet", "--detach", "main");

        RunMerged merged = into("release", false);
        RunMerged squashed = into("other", true);

        assertThat(Sample.git(
                        sample.repository,
                        "rev-list",
                        "--parents",
                        "-1",
                        merged.commit().orElseThrow()))
                .endsWith(theirs + " " + Sample.git(sample.repository, "rev-parse", run.branch()));
        assertThat(Sample.git(
                        sample.repository,
                        "rev-list",
                        "--parents",
                        "-1",
                        squashed.commit().orElseThrow()))
                .endsWith(" " + theirs)
                .hasSize(81);
        assertThat(Sample.git(sample.repository, "rev-parse", "HEAD")).isEqualTo(base);
    }

    @Test
    void conflictsAreNamedAndNothingChanges() throws IOException {
        Sample.git(sample.repository, "checkout", "--quiet", "release");
        Sample.write(sample.repository, "a.txt", "theirs\n");
        String theirs = Sample.commitAll(sample.repository, "theirs");
        Sample.git(sample.repository, "checkout", "--quiet", "main");

        assertThat(into("release", false).conflicts()).containsExactly("a.txt");

        assertThat(Sample.git(sample.repository, "rev-parse", "release")).isEqualTo(theirs);
    }

    @Test
    void aBranchThatIsAbsentOrCheckedOutElsewhereIsRefused() throws IOException {
        Path elsewhere = folder.toRealPath().resolve("elsewhere");
        Sample.git(sample.repository, "worktree", "add", "--quiet", elsewhere.toString(), "release");

        assertThatThrownBy(() -> into("release", false)).hasMessageContaining("release is checked out in " + elsewhere);
        assertThatThrownBy(() -> into("absent", false))
                .hasMessageContaining("has no branch \"absent\"; create it first, e.g. with git branch absent");
        assertThatThrownBy(() -> into("a..b", false)).hasMessageContaining("fits no branch");
        assertThat(Sample.git(sample.repository, "rev-parse", "release")).isEqualTo(base);
    }

    @Test
    void aLinkToARepositoryThatHoldsItsFilesAloneIsNamed() throws IOException {
        Path app = Files.createDirectories(worktree.resolve("app"));
        Sample.git(app, "init", "--quiet");
        Sample.write(app, "main.js", "work");
        Sample.commitAll(app, "init");
        String head = Sample.git(worktree, "rev-parse", "HEAD");
        worktrees.commit(Sample.commit(run, head, base, "s2"));

        assertThat(into("release", false).withoutFiles()).containsExactly("app");
    }
}
