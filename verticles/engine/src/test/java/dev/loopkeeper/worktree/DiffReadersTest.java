package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.contract.CheckoutChannels.DiffPart;
import dev.loopkeeper.contract.CheckoutChannels.ReadDiff;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitOutput;
import dev.loopkeeper.git.GitProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes that are more than memory should hold, read part by part. */
class DiffReadersTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir
    private Path folder;

    private final GitProgram git = Sample.GIT;
    private Sample sample;
    private String base;
    private String head;

    @BeforeEach
    void makeManyChanges() throws IOException {
        sample = new Sample(folder);
        base = Sample.git(sample.repository, "rev-parse", "HEAD");
        Sample.write(sample.repository, "big.txt", "0123456789abcdef\n".repeat(60_000));
        Files.write(sample.repository.resolve("latin.txt"), new byte[] {'a', (byte) 0xe9, '\n'});
        head = Sample.commitAll(sample.repository, "much");
    }

    private ReadDiff question(String reader) {
        return new ReadDiff(sample.repository, base, head, reader, 0, false);
    }

    private Supplier<GitOutput> output(GitCall call) {
        return () -> {
            try {
                return git.open(call);
            } catch (IOException absent) {
                throw new AssertionError(absent);
            }
        };
    }

    private Supplier<GitOutput> changes() {
        return output(GitCall.in(sample.repository, "diff-tree", "-r", "--patch", base, head));
    }

    /** Returns those that work in the repository of this test; others may be of tests that run beside it. */
    private List<ProcessHandle> gits() {
        return ProcessHandle.current()
                .children()
                .filter(child -> isIn(child, sample.repository))
                .toList();
    }

    private static boolean isIn(ProcessHandle child, Path folder) {
        try {
            return Files.isSameFile(Path.of("/proc", Long.toString(child.pid()), "cwd"), folder);
        } catch (IOException gone) {
            return false;
        }
    }

    private static void fails(Problem problem, Runnable work) {
        assertThatThrownBy(work::run)
                .isInstanceOfSatisfying(
                        WorktreeException.class,
                        refused -> assertThat(refused.problem()).isEqualTo(problem));
    }

    @Test
    void allPartsTogetherAreWhatGitSays() throws IOException {
        Worktrees worktrees = sample.worktrees();
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        ReadDiff question = question("r");
        DiffPart part = worktrees.read(question);
        read.write(part.bytes());
        while (!part.last()) {
            assertThat(part.bytes()).hasSize(DiffPart.MOST);
            question = question.behind(part);
            part = worktrees.read(question);
            read.write(part.bytes());
        }

        assertThat(read.size()).isGreaterThan(60_000 * 17);
        assertThat(read.toString(StandardCharsets.ISO_8859_1))
                .startsWith("diff --git a/big.txt b/big.txt\n")
                .endsWith("@@ -0,0 +1 @@\n+a\u00e9\n");
        assertThat(gits()).isEmpty();
        ReadDiff after = question.behind(part);
        fails(Problem.TIMED_OUT, () -> worktrees.read(after));
    }

    @Test
    void aReaderThatStopsLeavesNoGitProcess() {
        DiffReaders readers = new DiffReaders(LONG);
        ReadDiff question = question("r");
        DiffPart first = readers.read(question, changes());
        assertThat(first.last()).isFalse();
        assertThat(gits()).hasSize(1);

        assertThat(readers.read(question.ended(), changes()).last()).isTrue();

        assertThat(gits()).isEmpty();
        fails(Problem.TIMED_OUT, () -> readers.read(question.behind(first), changes()));
    }

    @Test
    void aSilentReaderLeavesNoGit() {
        DiffReaders readers = new DiffReaders(Duration.ZERO);
        assertThat(readers.read(question("r"), changes()).last()).isFalse();

        readers.endSilent();

        assertThat(gits()).isEmpty();
    }

    @Test
    void aGitThatSaysNothingIsEndedWhileItIsWaitedFor() throws Exception {
        DiffReaders readers = new DiffReaders(Duration.ZERO);
        GitCall silent = GitCall.in(sample.repository, "-c", "alias.nap=!echo $$ > pid; exec sleep 600", "nap");
        CompletableFuture<DiffPart> waiting =
                CompletableFuture.supplyAsync(() -> readers.read(question("r"), output(silent)));
        await().until(() -> Files.exists(sample.repository.resolve("pid")) && gits().size() == 1);

        // Its git may be there before its reader is.
        await().until(() -> {
            readers.endSilent();
            return waiting.isDone();
        });

        assertThatThrownBy(waiting::join).hasCauseInstanceOf(WorktreeException.class);
        assertThat(gits()).isEmpty();
    }

    @Test
    void refusesAPartThatDoesNotFollowTheLastOne() {
        DiffReaders readers = new DiffReaders(LONG);
        ReadDiff question = question("r");
        DiffPart first = readers.read(question, changes());
        assertThat(first.bytes()).hasSize(DiffPart.MOST);

        fails(
                Problem.TIMED_OUT,
                () -> readers.read(
                        new ReadDiff(sample.repository, base, head, "r", DiffPart.MOST + 1L, false), changes()));

        assertThat(gits()).isEmpty();
    }

    @Test
    void thereIsAnEndToTheNumberOfReaders() {
        DiffReaders readers = new DiffReaders(LONG);
        for (int number = 0; number < DiffReaders.MOST; number++) {
            assertThat(readers.read(question("r" + number), changes()).last()).isFalse();
        }

        fails(Problem.LOCKED, () -> readers.read(question("more"), changes()));
        assertThat(gits()).hasSize(DiffReaders.MOST);
        readers.close();

        assertThat(gits()).isEmpty();
        fails(Problem.TIMED_OUT, () -> readers.read(question("late"), changes()));
    }

    @Test
    void aGitThatFailsSaysWhy() {
        DiffReaders readers = new DiffReaders(LONG);

        assertThatThrownBy(() -> readers.read(
                        question("r"), output(GitCall.in(sample.repository, "diff-tree", "-r", "no-such", head))))
                .hasMessageContaining("no-such");
    }
}
