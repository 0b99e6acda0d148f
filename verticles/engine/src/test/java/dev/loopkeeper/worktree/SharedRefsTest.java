package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.WorktreeChannels.CommitMessage;
import dev.loopkeeper.contract.WorktreeChannels.CommitStep;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent's git in a worktree takes away what the person's checkout shares with it. */
class SharedRefsTest extends WorktreeOfARun {
    private void begin() {
        worktrees.prepare(Sample.prepare(run, base));
    }

    private List<String> warnings(String step) {
        return worktrees.commit(Sample.commit(run, base, base, step)).warnings();
    }

    private void stash(Path checkout, String text) throws IOException {
        Sample.write(checkout, "a.txt", text);
        Sample.git(checkout, "stash", "push", "--quiet", "-m", text);
    }

    private List<String> stashes() throws IOException {
        return Sample.git(sample.repository, "stash", "list", "--format=%gs")
                .lines()
                .toList();
    }

    private String kept(String name) throws IOException {
        String refs = Sample.git(
                sample.repository, "for-each-ref", "--format=%(refname)", "refs/loopkeeper/" + run.runId() + "/undone");
        return refs.lines()
                .filter(ref -> ref.contains("/" + name + "-"))
                .findFirst()
                .orElse("none in " + refs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stash pop --quiet", "stash clear", "stash drop --quiet stash@{1}"})
    void theStashOfThePersonIsPutBack(String taking) throws IOException {
        stash(sample.repository, "older");
        stash(sample.repository, "newer");
        List<String> hashes = Sample.git(sample.repository, "stash", "list", "--format=%H")
                .lines()
                .sorted()
                .toList();
        begin();
        Sample.git(worktree, taking.split(" "));

        assertThat(warnings("s1"))
                .isNotEmpty()
                .allSatisfy(warning -> assertThat(warning)
                        .contains(
                                "the stash entry \"On main: ",
                                "was put back",
                                "kept as " + kept("stash").substring(0, 30)));

        assertThat(stashes()).containsExactlyInAnyOrder("On main: newer", "On main: older");
        assertThat(Sample.git(sample.repository, "stash", "list", "--format=%H")
                        .lines()
                        .sorted())
                .containsExactlyElementsOf(hashes);
        assertThat(warnings("s2")).isEmpty();
    }

    @Test
    void theNewestEntryOfAClearedStashIsOnTopAgain() throws IOException {
        stash(sample.repository, "older");
        stash(sample.repository, "newer");
        begin();
        Sample.git(worktree, "stash", "clear");
        warnings("s1");

        assertThat(stashes()).containsExactly("On main: newer", "On main: older");
    }

    @Test
    void anEntryThatCannotBePutBackIsKeptAndNamedWithTheCommand() throws IOException {
        stash(sample.repository, "work");
        begin();
        Sample.git(worktree, "stash", "drop", "--quiet");
        Sample.git(worktree, "update-ref", "refs/stash/in-the-way", base);

        List<String> warnings = warnings("s1");

        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("put it back with git stash store and the next ref; it is kept as " + kept("left-stash"));
        Sample.git(worktree, "update-ref", "-d", "refs/stash/in-the-way");
        Sample.git(sample.repository, "stash", "store", "-m", "again", kept("left-stash"));
        assertThat(stashes()).containsExactly("again");
    }

    @Test
    void twoStepsAtOnceThatMissAnEntryPutItBackOnce() throws IOException {
        stash(sample.repository, "work");
        begin();
        worktrees.prepare(Sample.prepare(sample.item("f1", 1), base));
        Sample.git(worktree, "stash", "drop", "--quiet");

        List<List<String>> warnings = Stream.of(run, sample.item("f1", 1))
                .parallel()
                .map(location -> worktrees
                        .commit(Sample.commit(location, base, base, "s1"))
                        .warnings())
                .toList();

        assertThat(stashes()).containsExactly("On main: work");
        assertThat(warnings.stream().flatMap(List::stream)).hasSize(1);
    }

    @Test
    void keepsAPersonsConcurrentChanges() throws IOException {
        Sample.git(sample.repository, "branch", "feature");
        begin();
        stash(sample.repository, "new");
        Sample.write(sample.repository, "b.txt", "b");
        String moved = Sample.commitAll(sample.repository, "a commit of the person");
        Sample.git(sample.repository, "tag", "v1");
        Sample.git(sample.repository, "branch", "--force", "feature", "main");
        Sample.git(sample.repository, "pack-refs", "--all");

        assertThat(warnings("s1")).isEmpty();

        assertThat(stashes()).containsExactly("On main: new");
        assertThat(Sample.git(sample.repository, "rev-parse", "main", "feature", "v1")
                        .lines())
                .containsOnly(moved);
    }

    @Test
    void anEntryThatTheRunMadeItselfIsNotPutBack() throws IOException {
        stash(worktree, "work of the agent");
        begin();
        Sample.git(worktree, "stash", "pop", "--quiet");

        assertThat(warnings("s1")).isEmpty();
        assertThat(stashes()).isEmpty();
    }

    @Test
    void anEntryOfAnotherRunIsNotPutBack() throws IOException {
        WorktreeLocation other = new WorktreeLocation("other-1", sample.repository, "worktree", "topic");
        Path there = worktrees.prepare(Sample.prepare(other, base)).worktree();
        stash(there, "work of its agent");
        begin();
        Sample.git(there, "stash", "pop", "--quiet");

        assertThat(warnings("s1")).isEmpty();
        assertThat(stashes()).isEmpty();
    }

    @Test
    void removedBranchesAndChangedTagsAreKeptUnderRefsOfTheRun() throws IOException {
        Sample.git(sample.repository, "checkout", "--quiet", "-b", "feature/x");
        Sample.write(sample.repository, "b.txt", "b");
        String feature = Sample.commitAll(sample.repository, "feature");
        Sample.git(sample.repository, "tag", "-a", "-m", "first", "v1.0");
        String tag = Sample.git(sample.repository, "rev-parse", "v1.0");
        Sample.git(sample.repository, "checkout", "--quiet", "main");
        begin();
        Sample.git(worktree, "branch", "--quiet", "-D", "feature/x");
        Sample.git(worktree, "tag", "--force", "v1.0", "main");

        List<String> warnings = warnings("s1");

        assertThat(Sample.git(sample.repository, "rev-parse", kept("left-feature-x"), kept("left-v1.0"))
                        .lines())
                .containsExactly(feature, tag);
        assertThat(warnings)
                .containsExactlyInAnyOrder(
                        "the branch feature/x was removed while a step ran; it is kept as " + kept("left-feature-x"),
                        "the tag v1.0 was changed while a step ran; it is kept as " + kept("left-v1.0"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyRemovedBranchesTakeOneGitUnlessOneIsGone(boolean pruned) throws IOException {
        for (int index = 0; index < 8; index++) {
            Sample.git(sample.repository, "branch", "feature-" + index);
        }
        Sample.git(sample.repository, "checkout", "--quiet", "-b", "gone");
        Sample.write(sample.repository, "b.txt", "b");
        Sample.commitAll(sample.repository, "gone");
        Sample.git(sample.repository, "checkout", "--quiet", "main");
        AtomicInteger updates = new AtomicInteger();
        worktrees = new Worktrees(sample.data, new Sample.Unsynced() {
            @Override
            public GitAnswer run(GitCall call, Consumer<ProcessHandle> started) throws GitException {
                updates.addAndGet(call.input().contains("/undone/left-") ? 1 : 0);
                return super.run(call, started);
            }
        });
        begin();
        for (int index = 0; index < 8; index++) {
            Sample.git(worktree, "branch", "--quiet", "-D", "feature-" + index);
        }
        Sample.git(worktree, "branch", "--quiet", "-D", "gone");
        if (pruned) {
            Sample.git(worktree, "reflog", "expire", "--expire=now", "--all");
            Sample.git(worktree, "gc", "--quiet", "--prune=now");
        }

        List<String> warnings = warnings("s1");

        assertThat(warnings)
                .hasSize(9)
                .filteredOn(warning -> warning.contains("it could not be kept"))
                .hasSize(pruned ? 1 : 0);
        assertThat(updates).hasValue(pruned ? 1 + 9 : 1);
        assertThat(Sample.git(sample.repository, "rev-parse", kept("left-feature-7")))
                .isEqualTo(base);
    }

    @Test
    void whatGitDeletedForGoodIsNamedAndStopsNothing() throws IOException {
        Sample.git(sample.repository, "checkout", "--quiet", "-b", "feature");
        Sample.write(sample.repository, "b.txt", "b");
        Sample.commitAll(sample.repository, "feature");
        Sample.git(sample.repository, "checkout", "--quiet", "main");
        begin();
        Sample.git(worktree, "branch", "--quiet", "-D", "feature");
        Sample.git(worktree, "reflog", "expire", "--expire=now", "--all");
        Sample.git(worktree, "gc", "--quiet", "--prune=now");

        assertThat(warnings("s1"))
                .singleElement()
                .asString()
                .contains("the branch feature was removed", "could not be kept: ");
    }

    @Test
    void aStepWithoutACommitIsComparedToo() throws IOException {
        stash(sample.repository, "work");
        begin();
        Sample.git(worktree, "stash", "drop", "--quiet");
        Files.writeString(worktree.resolve("a.txt"), "not committed");

        StepCommitted compared =
                worktrees.commit(new CommitStep(run, base, base, new CommitMessage("", "s1", "n1", ""), false));

        assertThat(compared.warnings()).hasSize(1);
        assertThat(compared.head()).isEqualTo(base);
        assertThat(stashes()).containsExactly("On main: work");
        assertThat(Sample.git(worktree, "status", "--porcelain")).isEqualTo(" M a.txt");
    }

    @Test
    void aWorktreeThatIsPreparedBetweenStepsComparesNothing() throws IOException {
        stash(sample.repository, "work");
        begin();
        warnings("s1");
        Sample.git(sample.repository, "stash", "drop", "--quiet");
        Sample.git(sample.repository, "branch", "own");
        Sample.git(sample.repository, "branch", "-D", "own");

        worktrees.finish(new FinishWorktree(run, true, false));
        begin();

        assertThat(warnings("s2")).isEmpty();
        assertThat(stashes()).isEmpty();
    }

    @Test
    void sharedHooksAndExcludesAreKeptAsTheyWere() throws IOException {
        Path git = sample.repository.resolve(".git");
        Sample.write(git, "hooks/pre-commit", "#!/bin/sh\nexit 0\n");
        Sample.write(git, "info/exclude", "mine\n");
        begin();
        Sample.write(git, "hooks/pre-commit", "#!/bin/sh\nexit 1\n");
        Sample.write(git, "hooks/pre-push", "#!/bin/sh\nexit 1\n");
        Files.delete(git.resolve("info/exclude"));

        List<String> warnings = warnings("s1");

        assertThat(warnings)
                .hasSize(3)
                .anySatisfy(
                        warning -> assertThat(warning).contains("pre-commit", "was changed", kept("hooks-pre-commit")))
                .anySatisfy(warning -> assertThat(warning).contains("pre-push", "was added"))
                .anySatisfy(
                        warning -> assertThat(warning).contains("info/exclude", "was removed", kept("info-exclude")));
        assertThat(Sample.git(sample.repository, "cat-file", "blob", kept("info-exclude")))
                .isEqualTo("mine");
        begin();
        assertThat(warnings("s2")).isEmpty();
    }
}
