package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.CheckoutChannels.MergeRun;
import dev.loopkeeper.contract.RunMerged;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left in the person's checkout where the move to a merge does not go as it should. */
class CheckoutMergeFailuresTest {
    private static final String COMMAND = "remove that part with: ";

    @TempDir
    private Path folder;

    private Sample sample;
    private Worktrees worktrees;
    private WorktreeLocation run;
    private String head;

    /** A run that changed two files and made one. */
    @BeforeEach
    void repository() throws IOException {
        sample = new Sample(folder);
        worktrees = sample.worktrees();
        run = sample.location();
        Sample.write(sample.repository, ".gitattributes", "*.txt filter=odd\n");
        String base = Sample.commitAll(sample.repository, "filter");
        Path worktree = worktrees.prepare(Sample.prepare(run, base)).worktree();
        Sample.write(worktree, "a.txt", "changed\n");
        Sample.write(worktree, "new.txt", "new\n");
        Sample.write(worktree, "sub/b.txt", "changed, too\n");
        head = worktrees.commit(Sample.commit(run, base, base, "s1")).head();
    }

    @CanIgnoreReturnValue
    private RunMerged merge() {
        return worktrees.merge(
                new MergeRun(Sample.RUN, sample.repository, run.branch(), false, Optional.empty(), false));
    }

    private WorktreeException refused() {
        return catchThrowableOfType(WorktreeException.class, this::merge);
    }

    /** @param script of a shell whose parent is the git that works on the checkout */
    private void filter(String script) throws IOException {
        Sample.git(sample.repository, "config", "filter.odd.smudge", script);
        Sample.git(sample.repository, "config", "filter.odd.clean", "cat");
        Sample.git(sample.repository, "config", "filter.odd.required", "true");
    }

    private void isMerged() throws IOException {
        assertThat(sample.base()).isEqualTo(head);
        assertThat(Sample.git(sample.repository, "status", "--porcelain")).isEmpty();
        assertThat(sample.repository.resolve("new.txt")).hasContent("new");
        assertThat(merge().already()).isTrue();
    }

    private static void type(String command) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        String text = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(text).isZero();
    }

    /** Neither a signal to the terminal, nor the next runtime, nor a word that no program reads. */
    @Test
    void noEndOfItsRuntimeEndsAMergeHalfWay() throws Exception {
        Path environment = folder.resolve("environment");
        Path session = folder.resolve("session");
        filter("tr '\\0' '\\n' </proc/$PPID/environ >" + environment + "; cut -d ' ' -f 1,6 /proc/$PPID/stat >"
                + session + "; cat");

        merge();

        isMerged();
        String[] pidAndSession = Files.readString(session).strip().split(" ", -1);
        assertThat(pidAndSession[1]).isEqualTo(pidAndSession[0]);
        assertThat(Files.readAllLines(environment))
                .noneMatch(line -> line.startsWith(OrphanedGit.VARIABLE))
                .anyMatch(line -> line.startsWith("GIT_PROGRESS_DELAY=1000"));
    }

    private void isAsItWas() throws IOException {
        assertThat(sample.base()).isNotEqualTo(head);
        assertThat(Sample.git(sample.repository, "status", "--porcelain")).isEmpty();
        assertThat(sample.repository.resolve("new.txt")).doesNotExist();
        assertThat(sample.repository.resolve(".git/index.lock")).doesNotExist();
    }

    @Test
    void undoesAMergeThatAFilterStopped() throws Exception {
        filter("if [ %f = new.txt ]; then exit 1; fi; cat");

        WorktreeException failure = refused();

        assertThat(failure).hasMessageContaining("new.txt: smudge filter odd failed");
        assertThat(failure.getMessage()).doesNotContain(COMMAND, "reset --hard");
        filter("cat");
        isAsItWas();
        merge();
        isMerged();
    }

    @Test
    void undoesAMergeThatWasKilledAndRemovesItsLock() throws Exception {
        filter("if [ %f = new.txt ]; then kill -9 $PPID; fi; cat");

        assertThat(refused()).hasMessageContaining("; the merge was undone");

        filter("cat");
        isAsItWas();
        merge();
        isMerged();
    }

    @Test
    void namesTheCommandWhereTheMergeCannotBeUndone() throws Exception {
        filter("exit 1");

        WorktreeException failure = refused();

        assertThat(failure.problem()).isEqualTo(Problem.PARTLY_MERGED);
        assertThat(failure.getMessage()).doesNotContain("reset --hard");
        filter("cat");
        type(failure.getMessage().substring(failure.getMessage().indexOf(COMMAND) + COMMAND.length()));
        isAsItWas();
        merge();
        isMerged();
    }

    @Test
    void aMergeThatGitRefusesChangesNothing() throws IOException {
        Sample.git(sample.repository, "config", "merge.verifySignatures", "true");

        WorktreeException failure = refused();

        assertThat(failure).hasMessageContaining("signature").hasMessageEndingWith("; nothing was changed");
        isAsItWas();
    }

    @Test
    void mergesTheBranchAndNotATagOfItsName() throws IOException {
        Sample.git(sample.repository, "tag", run.branch(), "main");

        assertThat(merge().already()).isFalse();

        assertThat(sample.base()).isEqualTo(head);
    }

    @Test
    void overwritesNoIgnoredFile() throws IOException {
        Sample.write(sample.repository, ".git/info/exclude", "new.txt\n");
        Path mine = Sample.write(sample.repository, "new.txt", "the only copy\n");

        WorktreeException failure = refused();

        assertThat(failure.problem()).isEqualTo(Problem.NOT_CLEAN);
        assertThat(failure).hasMessageContaining("in no commit: new.txt;");
        assertThat(mine).hasContent("the only copy");
    }

    @Test
    void whatIsInTheWayIsNamedAndNothingIsSaidThatWouldRemoveIt() throws IOException {
        Path mine = Sample.write(sample.repository, "new.txt", "mine\n");

        WorktreeException failure = refused();

        assertThat(failure.problem()).isEqualTo(Problem.NOT_CLEAN);
        assertThat(failure).hasMessageContaining("new.txt");
        assertThat(failure.getMessage()).doesNotContain(COMMAND);
        assertThat(mine).hasContent("mine");
        Files.delete(mine);
        Files.createFile(sample.repository.resolve(".git/index.lock"));
        assertThat(refused().problem()).isEqualTo(Problem.LOCKED);
        assertThat(sample.repository.resolve("a.txt")).hasContent("one\ntwo\nthree");
    }
}
