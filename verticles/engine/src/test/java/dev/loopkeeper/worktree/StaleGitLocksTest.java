package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.MergeItem;
import dev.loopkeeper.contract.WorktreeChannels.PruneRun;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A git that is killed after its work was done and before its locks were gone: the command finds all done when it is
 * repeated, asks nothing of git, and still removes the locks.
 */
class StaleGitLocksTest {
    private static final String OURS = "refs/loopkeeper/" + Sample.RUN;
    private static final String RUN_BRANCH = "refs/heads/loopkeeper/" + Sample.RUN;
    private static final String ITEM_BRANCH = "refs/heads/loopkeeper/items/" + Sample.RUN + "/f1.1";
    private static final String RUN_BASE = OURS + "/base/loopkeeper/" + Sample.RUN;
    private static final String ITEM_BASE = OURS + "/base/loopkeeper/items/" + Sample.RUN + "/f1.1";
    private static final String OF_RUN = "worktrees/worktree/";
    private static final String OF_ITEM = "worktrees/f1.1/";
    /** What no command of ours writes, or what is the person's too. */
    private static final List<String> OF_THE_PERSON = List.of(
            "index.lock",
            "HEAD.lock",
            "config.lock",
            "shallow.lock",
            "packed-refs.lock",
            "refs/heads/main.lock",
            "refs/loopkeeper/another-run/base/x.lock");

    @TempDir
    private Path folder;

    private Sample sample;
    private Path git;
    private WorktreeLocation run;
    private WorktreeLocation item;
    private String base;

    @BeforeEach
    void repository() throws IOException {
        sample = new Sample(folder);
        git = sample.repository.resolve(".git");
        run = sample.location();
        item = sample.item("f1", 1);
        base = sample.base();
    }

    /** Something that can be done twice with the same answer. */
    private interface Command<A> {
        A execute(Worktrees worktrees);
    }

    /** Executes the command, leaves these locks of ours and those of the person, and repeats it. */
    @CanIgnoreReturnValue
    private <A> A twice(Command<A> command, String... refsAndFiles) throws IOException {
        A first = command.execute(sample.worktrees());
        leave(OF_THE_PERSON);
        leave(Stream.of(refsAndFiles).map(each -> each + ".lock").toList());
        A again = command.execute(sample.worktrees());
        assertThat(again).isEqualTo(first);
        assertThat(locks()).containsExactlyInAnyOrderElementsOf(OF_THE_PERSON);
        for (String lock : OF_THE_PERSON) {
            Files.delete(git.resolve(lock));
        }
        return again;
    }

    private void leave(List<String> locks) throws IOException {
        for (String lock : locks) {
            Files.createDirectories(git.resolve(lock).getParent());
            Files.createFile(git.resolve(lock));
        }
    }

    private List<String> locks() throws IOException {
        try (Stream<Path> all = Files.walk(git)) {
            return all.map(path -> git.relativize(path).toString())
                    .filter(name -> name.endsWith(".lock"))
                    .toList();
        }
    }

    @CanIgnoreReturnValue
    private Path prepared(WorktreeLocation location) {
        return sample.worktrees().prepare(Sample.prepare(location, base)).worktree();
    }

    @CanIgnoreReturnValue
    private String committed(WorktreeLocation location, String from, String text) throws IOException {
        Path worktree = prepared(location);
        Sample.write(worktree, "a.txt", text);
        return sample.worktrees()
                .commit(Sample.commit(location, from, base, "of-" + text))
                .head();
    }

    @Test
    void ofBranchesThatAreThere() throws IOException {
        prepared(run);
        twice(
                worktrees -> worktrees.prepare(Sample.prepare(run, base)),
                RUN_BRANCH,
                RUN_BASE,
                OF_RUN + "index",
                OF_RUN + "HEAD");
    }

    @Test
    void ofACommitThatWasMade() throws IOException {
        String ahead = committed(run, base, "ahead");
        Path worktree = prepared(run);
        Sample.git(worktree, "reset", "--quiet", "--hard", base);
        Sample.write(worktree, "a.txt", "another");

        StepCommitted done = twice(
                worktrees -> worktrees.commit(Sample.commit(run, ahead, base, "s2")),
                RUN_BRANCH,
                OURS + "/undone/left-by-s2",
                OF_RUN + "index",
                OF_RUN + "HEAD",
                OF_RUN + "ORIG_HEAD");

        assertThat(done.commit()).isPresent();
    }

    @Test
    void ofACommitThatHasNothingToDo() throws IOException {
        prepared(run);
        twice(
                worktrees -> worktrees.commit(Sample.commit(run, base, base, "s1")),
                RUN_BRANCH,
                OURS + "/undone/left-by-s1",
                OF_RUN + "index",
                OF_RUN + "HEAD");
    }

    @Test
    void ofWhatWasUndone() throws IOException {
        committed(run, base, "wrong");
        twice(
                worktrees -> worktrees.reset(new ResetWorktree(run, base, "u1")),
                RUN_BRANCH,
                OURS + "/undone/u1",
                OF_RUN + "index",
                OF_RUN + "HEAD",
                OF_RUN + "ORIG_HEAD");
    }

    @Test
    void ofAnItemThatWasMerged() throws IOException {
        prepared(run);
        committed(item, base, "item");
        twice(
                worktrees -> worktrees.merge(new MergeItem(run, base, item, "f1", 1, false)),
                RUN_BRANCH,
                OURS + "/undone/merge-" + base,
                OF_RUN + "index",
                OF_RUN + "HEAD");
    }

    @Test
    void ofARunThatEnded() throws IOException {
        committed(run, base, "done");
        twice(
                worktrees -> worktrees.finish(new FinishWorktree(run, false, false)),
                RUN_BRANCH,
                RUN_BASE,
                OURS + "/undone/worktree");
    }

    /** As it was seen: the branch is gone, and so nothing of git needs its lock. */
    @Test
    void ofAnItemWhoseBranchWasArchived() throws IOException {
        committed(item, base, "item");
        Sample.write(prepared(item), "left", "left");
        twice(
                worktrees -> worktrees.finish(new FinishWorktree(item, false, true)),
                ITEM_BRANCH,
                ITEM_BASE,
                OURS + "/branches/loopkeeper/items/fix-1/f1.1",
                OURS + "/undone/worktrees/f1.1");
        assertThat(git.resolve(OF_ITEM)).doesNotExist();
    }

    @Test
    void ofAnItemsBranchWhenOnlyItsBaseIsLeft() throws IOException {
        committed(item, base, "item");
        String tip = Sample.git(sample.repository, "rev-parse", item.branch());
        Sample.git(sample.repository, "update-ref", OURS + "/branches/" + item.branch(), tip);
        sample.worktrees().finish(new FinishWorktree(item, false, false));
        Sample.git(sample.repository, "update-ref", "-d", ITEM_BRANCH);
        leave(List.of(ITEM_BRANCH + ".lock", ITEM_BASE + ".lock"));

        assertThat(sample.worktrees()
                        .finish(new FinishWorktree(item, false, true))
                        .kept())
                .isPresent();

        assertThat(locks()).isEmpty();
        assertThat(Sample.git(sample.repository, "for-each-ref", "--format=%(refname)", OURS))
                .isEqualTo(OURS + "/branches/" + item.branch());
    }

    @Test
    void ofARunThatIsRemoved() throws IOException {
        committed(item, base, "item");
        sample.worktrees().finish(new FinishWorktree(item, false, true));
        sample.worktrees().prune(new PruneRun(Sample.RUN, sample.repository));
        twice(
                worktrees -> worktrees.prune(new PruneRun(Sample.RUN, sample.repository)),
                ITEM_BASE,
                RUN_BASE,
                OURS + "/branches/loopkeeper/items/fix-1/f1.1",
                OURS + "/undone/u1");
        assertThat(git.resolve(OURS)).doesNotExist();
    }

    /** A process that was to remove them was killed between the end of the attempt and that. */
    @Test
    void removesWorktreesOfAllAttemptsAtTheEndOfTheRun() throws IOException {
        prepared(run);
        WorktreeLocation second = sample.item("f1", 2);
        WorktreeLocation third = sample.item("f1", 3);
        committed(item, base, "item");
        Path dirty = prepared(second);
        Sample.write(dirty, "left", "left");
        committed(third, base, "third");
        String tip = Sample.git(sample.repository, "rev-parse", third.branch());
        Sample.git(
                sample.repository,
                "worktree",
                "remove",
                "--force",
                prepared(third).toString());

        assertThat(sample.worktrees()
                        .finish(new FinishWorktree(run, false, false))
                        .reason())
                .isEmpty();

        assertThat(Sample.git(sample.repository, "worktree", "list").lines()).hasSize(1);
        assertThat(Sample.git(sample.repository, "branch", "--list", "loopkeeper/items/*"))
                .isEmpty();
        assertThat(Sample.git(sample.repository, "rev-parse", OURS + "/branches/" + third.branch()))
                .isEqualTo(tip);
        assertThat(Sample.git(sample.repository, "show", OURS + "/undone/worktrees/f1.2:left"))
                .isEqualTo("left");
        assertThat(dirty).doesNotExist();
    }

    /** The list of packed refs is the person's too: a mark of ours says that it was us who locked it. */
    @Test
    void ofPackedRefsThatWeWereRemoving() throws IOException {
        committed(item, base, "item");
        Sample.git(sample.repository, "pack-refs", "--all");
        Path mark = new Folders(sample.data).deleting(Sample.RUN);
        Files.createFile(mark);
        leave(List.of("packed-refs.lock", "packed-refs.new"));

        assertThat(sample.worktrees()
                        .finish(new FinishWorktree(item, false, true))
                        .kept())
                .isPresent();

        assertThat(mark).doesNotExist();
        assertThat(git.resolve("packed-refs.new")).doesNotExist();
        assertThat(locks()).isEmpty();
        Sample.git(sample.repository, "pack-refs", "--all");
        Files.createFile(mark);
        leave(List.of("packed-refs.lock", "packed-refs.new"));
        sample.worktrees().prune(new PruneRun(Sample.RUN, sample.repository));
        assertThat(locks()).isEmpty();
        assertThat(Sample.git(sample.repository, "for-each-ref", "--format=%(refname)"))
                .isEqualTo("refs/heads/main");
    }

    /** Registrations of worktrees that git began or ended by a half: it lists them no more, and never removes them. */
    @Test
    void ofRegistrationsThatAreHalfThere() throws IOException {
        Path begun = Files.createDirectories(git.resolve("worktrees/worktree"));
        Files.writeString(begun.resolve("locked"), "initializing");
        Path ended = Files.createDirectories(git.resolve("worktrees/worktree7"));
        Files.writeString(ended.resolve("HEAD"), "ref: " + RUN_BRANCH);
        Path persons = Files.createDirectories(git.resolve("worktrees/worktree8"));
        Files.writeString(persons.resolve("locked"), "on a stick");
        Path another = Files.createDirectories(git.resolve("worktrees/feature/refs"));

        prepared(run);

        assertThat(git.resolve("worktrees/worktree/gitdir")).exists();
        assertThat(ended).doesNotExist();
        assertThat(persons).exists();
        assertThat(another).exists();
        Files.createDirectories(ended);
        sample.worktrees().finish(new FinishWorktree(run, false, false));
        assertThat(ended).doesNotExist();
        assertThat(begun).doesNotExist();
        assertThat(persons).exists();
    }

    /** With such a one no git lists worktrees any more, that of the person neither. */
    @Test
    void ofRegistrationsThatGitCannotRead() throws IOException {
        Path worktree = prepared(run);
        Path own = git.resolve("worktrees/worktree");
        for (String file : List.of("commondir", "HEAD", "gitdir")) {
            Sample.write(worktree, "work", "before " + file);
            Files.write(own.resolve(file), new byte[0]);
            Path ofAnother = Files.createDirectories(git.resolve("worktrees/other-" + file));
            Files.writeString(ofAnother.resolve("gitdir"), sample.data.resolve("runs/other/worktree/.git") + "\n");

            assertThat(prepared(run)).isEqualTo(worktree);

            assertThat(worktree.resolve("a.txt")).exists();
            assertThat(ofAnother).doesNotExist();
            assertThat(Sample.git(sample.repository, "worktree", "list").lines())
                    .hasSize(2);
        }
        assertThat(sample.data.resolve("runs/fix-1/.worktree.lost-3/work")).hasContent("before gitdir");
    }
}
