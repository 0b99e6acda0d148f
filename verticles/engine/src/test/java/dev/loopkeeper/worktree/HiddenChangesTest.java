package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.WorktreeChannels.FindUnsavedWork;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.ItemMerged;
import dev.loopkeeper.contract.WorktreeChannels.MergeItem;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent's index flags hide its changes from git. */
class HiddenChangesTest extends WorktreeOfARun {
    private static void hide(Path worktree, String flag) throws IOException {
        Sample.git(worktree, "update-index", flag, "a.txt");
        Files.writeString(worktree.resolve("a.txt"), "the work");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--skip-worktree", "--assume-unchanged"})
    void theWorktreeOfTheRunStays(String flag) throws IOException {
        hide(worktree, flag);
        worktrees.commit(Sample.commit(run, base, base, "s1"));

        assertThat(worktrees
                        .find(new FindUnsavedWork(
                                run.runId(), Optional.of(new CheckWorkspace(sample.repository, "HEAD"))))
                        .findings())
                .singleElement()
                .asString()
                .contains("uncommitted changes");
        assertThat(worktrees.finish(new FinishWorktree(run, false, false)).reason())
                .hasValue("it has uncommitted changes");

        assertThat(worktree.resolve("a.txt")).hasContent("the work");
        assertThat(Sample.git(worktree, "status", "--porcelain")).contains("a.txt");
    }

    @Test
    void anApprovedItemIsMergedWithThem() throws IOException {
        WorktreeLocation item = sample.item("f1", 1);
        hide(worktrees.prepare(Sample.prepare(item, base)).worktree(), "--skip-worktree");

        ItemMerged merged = worktrees.merge(new MergeItem(run, base, item, "f1", 1, false));

        assertThat(Sample.git(worktree, "show", merged.head() + ":a.txt")).isEqualTo("the work");
    }

    @Test
    void aResetUndoesAndKeepsThem() throws IOException {
        hide(worktree, "--skip-worktree");

        worktrees.reset(new ResetWorktree(run, base, "u1"));

        assertThat(worktree.resolve("a.txt")).hasContent("one\ntwo\nthree\n");
        assertThat(Sample.git(worktree, "show", "refs/loopkeeper/fix-1/undone/u1:a.txt"))
                .isEqualTo("the work");
    }

    @Test
    void manyFlaggedFilesWithoutChangesDoNotKeepTheWorktree() throws IOException {
        for (int number = 0; number < 300; number++) {
            Sample.write(worktree, "many/" + "n".repeat(100) + number, "");
        }
        String head = worktrees.commit(Sample.commit(run, base, base, "s1")).head();
        Sample.git(worktree, "update-index", "--assume-unchanged", "--", "a.txt");
        for (String flag : new String[] {"--assume-unchanged", "--skip-worktree"}) {
            Path names = Files.writeString(
                    folder.resolve("names"),
                    Sample.git(worktree, "ls-files", "many").replace('\n', '\0'));
            Process marking = new ProcessBuilder("git", "update-index", flag, "-z", "--stdin")
                    .directory(worktree.toFile())
                    .redirectInput(names.toFile())
                    .start();
            assertThat(marking.onExit().join().exitValue()).isZero();
        }

        assertThat(worktrees.finish(new FinishWorktree(run, false, false)).reason())
                .isEmpty();

        assertThat(worktree).doesNotExist();
        assertThat(Sample.git(sample.repository, "rev-parse", run.branch())).isEqualTo(head);
    }
}
