package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.Changes;
import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CommitsDiff;
import dev.loopkeeper.contract.CheckoutChannels.DiffCommits;
import dev.loopkeeper.contract.CheckoutChannels.MergeRun;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.ItemMerged;
import dev.loopkeeper.contract.WorktreeChannels.MergeItem;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitCall;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Repositories that have more than files and commits, and people who do not wait. */
class UnusualRepositoriesTest {
    private static final int BIG_MEGABYTES = Integer.getInteger("loopkeeper.test.bigFileMegabytes", 8);

    @TempDir
    private Path folder;

    private Sample sample;
    private Worktrees worktrees;
    private WorktreeLocation run;

    @BeforeEach
    void repository() throws IOException {
        sample = new Sample(folder);
        worktrees = sample.worktrees();
        run = sample.location();
    }

    @CanIgnoreReturnValue
    private Path prepared(WorktreeLocation location) throws IOException {
        return worktrees.prepare(Sample.prepare(location, sample.base())).worktree();
    }

    @CanIgnoreReturnValue
    private StepCommitted commit(WorktreeLocation location, String from, String step) {
        return worktrees.commit(Sample.commit(location, from, from, step));
    }

    private List<String> notes() {
        return worktrees.check(new CheckWorkspace(sample.repository, "HEAD")).notes();
    }

    private static void shell(Path folder, String script) throws Exception {
        Process shell = new ProcessBuilder("sh", "-ec", script)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        shell.getOutputStream().close();
        String text = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(text).isZero();
    }

    @Test
    void aTagOfTheSameNameIsNoBranch() throws IOException {
        String base = sample.base();
        Sample.git(sample.repository, "tag", run.branch(), base + ":a.txt");
        Sample.write(sample.repository, "a.txt", "new\n");
        String main = Sample.commitAll(sample.repository, "new");
        Sample.git(sample.repository, "tag", "main", base);

        assertThat(worktrees
                        .check(new CheckWorkspace(sample.repository, "main"))
                        .base())
                .isEqualTo(main);
        assertThat(worktrees
                        .diff(new DiffCommits(sample.repository, base, "main", 1000))
                        .total()
                        .files())
                .isOne();
        Path worktree = worktrees.prepare(Sample.prepare(run, main)).worktree();
        Sample.write(worktree, "work.txt", "done");
        commit(run, main, "s1");

        assertThat(Sample.git(sample.repository, "log", "--format=%s", "refs/heads/" + run.branch()))
                .isEqualTo("s1: PROGRESS\nnew\nbase");
    }

    @Test
    void submodulesAreEmptyUntilAnAgentFetchesThem() throws IOException {
        Path library = Files.createDirectory(folder.toRealPath().resolve("library"));
        Sample.git(library, "init", "--quiet", "--initial-branch=main");
        Sample.write(library, "lib.txt", "1\n");
        String first = Sample.commitAll(library, "first");
        List<String> local = List.of("-c", "protocol.file.allow=always", "submodule", "--quiet");
        git(sample.repository, local, "add", library.toString(), "lib");
        String base = Sample.commitAll(sample.repository, "with a submodule");
        assertThat(notes()).singleElement().asString().startsWith("submodules are empty folders");

        Path worktree = prepared(run);
        assertThat(worktree.resolve("lib")).isEmptyDirectory();
        assertThat(commit(run, base, "s1").commit()).isEmpty();

        git(worktree, local, "update", "--init");
        Path inside = worktree.resolve("lib");
        assertThat(inside.resolve("lib.txt")).hasContent("1");
        Sample.write(inside, "lib.txt", "2\n");
        String second = Sample.commitAll(inside, "second");
        StepCommitted moved = commit(run, base, "s2");
        assertThat(moved.changes().files()).isEqualTo(1);
        assertThat(Sample.git(worktree, "rev-parse", "HEAD:lib")).isEqualTo(second);

        worktrees.reset(new ResetWorktree(run, base, "u1"));
        assertThat(Sample.git(inside, "rev-parse", "HEAD")).isEqualTo(first);
        assertThat(inside.resolve("lib.txt")).hasContent("1");
        assertThat(commit(run, base, "s3").commit()).isEmpty();
        assertThat(worktrees.finish(new FinishWorktree(run, false, false)).reason())
                .as("the commit that was undone")
                .contains("the submodule lib has commits that are on none of its remotes");
        assertThat(sample.repository.resolve("lib/lib.txt")).hasContent("1");
    }

    @ParameterizedTest
    @CsvSource({"diff.ignoreSubmodules, all", "submodule.lib.ignore, all"})
    void aMovedSubmoduleIsCommittedWhereTheUserIgnoresSubmodules(String key, String value) throws IOException {
        Path library = Files.createDirectory(folder.toRealPath().resolve("library"));
        Sample.git(library, "init", "--quiet", "--initial-branch=main");
        Sample.write(library, "lib.txt", "1\n");
        Sample.commitAll(library, "first");
        git(
                sample.repository,
                List.of("-c", "protocol.file.allow=always"),
                "submodule",
                "add",
                library.toString(),
                "lib");
        String base = Sample.commitAll(sample.repository, "with a submodule");
        Sample.write(library, "lib.txt", "2\n");
        String second = Sample.commitAll(library, "second");
        Sample.git(sample.repository, "config", key, value);
        Path worktree = prepared(run);

        Sample.git(worktree, "update-index", "--cacheinfo", "160000," + second + ",lib");

        assertThat(commit(run, base, "s1").commit()).isPresent();
        assertThat(Sample.git(worktree, "rev-parse", "HEAD:lib")).isEqualTo(second);
    }

    private static void git(Path folder, List<String> before, String... words) throws IOException {
        String[] all = Stream.concat(before.stream(), Arrays.stream(words)).toArray(String[]::new);
        Sample.git(folder, all);
    }

    @Test
    void filtersOfTheRepositoryRunBothWays() throws IOException {
        Sample.git(sample.repository, "config", "filter.upper.clean", "tr A-Z a-z");
        Sample.git(sample.repository, "config", "filter.upper.smudge", "tr a-z A-Z");
        Sample.write(sample.repository, ".gitattributes", "*.up filter=upper\n");
        Sample.write(sample.repository, "x.up", "ABC\n");
        String base = Sample.commitAll(sample.repository, "filtered");

        Path worktree = prepared(run);
        assertThat(worktree.resolve("x.up")).hasContent("ABC");
        assertThat(commit(run, base, "s1").commit()).isEmpty();
        Sample.write(worktree, "y.up", "XYZ\n");
        String head = commit(run, base, "s2").head();
        assertThat(Sample.git(worktree, "show", head + ":y.up")).isEqualTo("xyz");
    }

    @Test
    void withoutGitLfsNamesTheProgramOrKeepsPointers() throws IOException {
        String pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0".repeat(64) + "\nsize 3\n";
        Sample.write(sample.repository, ".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
        Sample.write(sample.repository, "big.bin", pointer);
        String base = Sample.commitAll(sample.repository, "pointer");
        Sample.git(sample.repository, "config", "filter.lfs.clean", "no-such-git-lfs clean -- %f");
        Sample.git(sample.repository, "config", "filter.lfs.smudge", "no-such-git-lfs smudge -- %f");
        Sample.git(sample.repository, "config", "filter.lfs.required", "true");
        assertThat(notes()).singleElement().asString().startsWith("missing files of git-lfs are fetched");

        assertThatThrownBy(() -> prepared(run))
                .isInstanceOf(WorktreeException.class)
                .hasMessageContaining("big.bin")
                .hasMessageContaining("install the program of the filter");
        assertThat(Sample.git(sample.repository, "worktree", "list").lines()).hasSize(1);

        Sample.git(sample.repository, "config", "filter.lfs.required", "false");
        Path worktree = prepared(run);
        assertThat(worktree.resolve("big.bin")).hasContent(pointer);
        assertThat(commit(run, base, "s1").commit()).isEmpty();
        Sample.write(worktree, "other.bin", pointer);
        Sample.git(sample.repository, "config", "filter.lfs.required", "true");
        assertThatThrownBy(() -> commit(run, base, "s2"))
                .isInstanceOf(WorktreeException.class)
                .hasMessageContaining("install the program of the filter");
        Sample.git(sample.repository, "config", "--remove-section", "filter.lfs");
        assertThat(commit(run, base, "s2").changes().files()).isEqualTo(1);
    }

    /** Git has written a part of the files by then, and the rest when the same command is repeated. */
    @Test
    void aMergeThatAFilterStoppedIsEndedLater() throws IOException {
        String base = sample.base();
        Path worktree = prepared(run);
        WorktreeLocation item = sample.item("f1", 1);
        Path itemTree = prepared(item);
        Sample.write(itemTree, "a.txt", "of the item\n");
        Sample.write(itemTree, ".gitattributes", "*.up filter=upper\n");
        Sample.write(itemTree, "x.up", "abc\n");
        commit(item, base, "f1");
        Sample.git(sample.repository, "config", "filter.upper.smudge", "no-such-program");
        Sample.git(sample.repository, "config", "filter.upper.required", "true");
        MergeItem command = new MergeItem(run, base, item, "f1", 1, false);

        assertThatThrownBy(() -> worktrees.merge(command)).hasMessageContaining("program of the filter upper");
        assertThatThrownBy(() -> worktrees.merge(command)).hasMessageContaining("program of the filter upper");
        assertThat(Sample.git(worktree, "rev-parse", "HEAD")).isEqualTo(base);
        Sample.git(sample.repository, "config", "filter.upper.smudge", "tr a-z A-Z");
        Sample.git(sample.repository, "config", "filter.upper.clean", "tr A-Z a-z");
        ItemMerged merged = sample.worktrees().merge(command);

        assertThat(merged.commit()).contains(Sample.git(worktree, "rev-parse", "HEAD"));
        assertThat(merged.changes()).isEqualTo(new Changes(3, 3, 3));
        assertThat(worktree.resolve("x.up")).hasContent("ABC");
        assertThat(Sample.git(worktree, "status", "--porcelain")).isEmpty();
        assertThat(Sample.log(worktree, base + "..")).containsExactly("Merge item f1", "f1: PROGRESS");
    }

    @Test
    void aSparseCheckoutMakesSparseWorktreesAndLosesNothingOutside() throws IOException {
        Sample.write(sample.repository, "far/c.txt", "c\n");
        String base = Sample.commitAll(sample.repository, "far");
        Sample.git(sample.repository, "sparse-checkout", "set", "sub");
        String config = Files.readString(sample.repository.resolve(".git/config"));
        assertThat(notes()).singleElement().asString().startsWith("the checkout is sparse");

        Path worktree = prepared(run);
        assertThat(worktree.resolve("far")).doesNotExist();
        Sample.write(worktree, "sub/b.txt", "changed\n");
        Sample.write(worktree, "far/new.txt", "new\n");
        StepCommitted done = commit(run, base, "s1");
        assertThat(done.changes()).isEqualTo(new Changes(2, 2, 1));
        assertThat(Sample.git(worktree, "ls-tree", "-r", "--name-only", "HEAD").lines())
                .containsExactly(".gitignore", "a.txt", "far/c.txt", "far/new.txt", "sub/b.txt");

        worktrees.reset(new ResetWorktree(run, base, "u1"));
        assertThat(commit(run, base, "s2").commit()).isEmpty();
        assertThat(Files.readString(sample.repository.resolve(".git/config"))).isEqualTo(config);
        assertThat(sample.repository.resolve("far")).doesNotExist();
    }

    @Test
    void namesOfAnyBytesAreCommittedComparedMergedAndUndone() throws Exception {
        String base = sample.base();
        Path worktree = prepared(run);
        WorktreeLocation item = sample.item("f1", 1);
        Path itemTree = prepared(item);
        String make = "printf '%s\\n' \"$TEXT\" > \"$(printf 'line\\nbreak')\";"
                + " printf '%s\\n' \"$TEXT\" > \"$(printf 'by\\377te')\"; printf '%s\\n' \"$TEXT\" > \"$(printf 'tab\\there')\"";
        shell(worktree, "TEXT=run; " + make);
        shell(itemTree, "TEXT=item; " + make);
        String head = commit(run, base, "s1").head();
        commit(item, base, "f1");

        byte[] names = Sample.GIT
                .run(GitCall.in(worktree, "ls-tree", "-r", "-z", "--name-only", head))
                .bytes();
        assertThat(new String(names, StandardCharsets.ISO_8859_1).split("\0", -1))
                .containsExactly(".gitignore", "a.txt", "by\377te", "line\nbreak", "sub/b.txt", "tab\there", "");
        CommitsDiff diff = worktrees.diff(new DiffCommits(sample.repository, base, head, 10_000));
        assertThat(diff.files())
                .extracting(CommitsDiff.FileChange::path)
                .containsExactly("\"by\\377te\"", "\"line\\nbreak\"", "\"tab\\there\"");
        ItemMerged conflict = worktrees.merge(new MergeItem(run, base, item, "f1", 1, false));
        assertThat(conflict.conflicts())
                .containsExactlyInAnyOrder("\"by\\377te\"", "\"line\\nbreak\"", "\"tab\\there\"");
        worktrees.reset(new ResetWorktree(run, base, "u1"));
        assertThat(Sample.git(worktree, "status", "--porcelain", "--ignored")).isEmpty();
    }

    @Test
    void modesAndLinksAndNamesThatDifferInCaseAloneAreMerged() throws IOException {
        String base = sample.base();
        Path worktree = prepared(run);
        WorktreeLocation item = sample.item("f1", 1);
        Path itemTree = prepared(item);
        Files.setPosixFilePermissions(itemTree.resolve("a.txt"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.delete(itemTree.resolve("sub/b.txt"));
        Files.delete(itemTree.resolve("sub"));
        Files.createSymbolicLink(itemTree.resolve("sub"), Path.of("nowhere"));
        Sample.write(itemTree, "name", "small\n");
        Sample.write(itemTree, "Name", "capital\n");
        commit(item, base, "f1");

        ItemMerged merged = worktrees.merge(new MergeItem(run, base, item, "f1", 1, false));

        assertThat(merged.conflicts()).isEmpty();
        assertThat(Files.isExecutable(worktree.resolve("a.txt"))).isTrue();
        assertThat(Files.readSymbolicLink(worktree.resolve("sub"))).hasToString("nowhere");
        assertThat(worktree.resolve("name")).hasContent("small");
        assertThat(worktree.resolve("Name")).hasContent("capital");
        assertThat(Sample.git(worktree, "status", "--porcelain")).isEmpty();
        worktrees.reset(new ResetWorktree(run, base, "u1"));
        assertThat(worktree.resolve("sub/b.txt")).hasContent("b");
        assertThat(Files.isExecutable(worktree.resolve("a.txt"))).isFalse();
    }

    @Test
    void aRunBeginsAtADetachedHead() throws IOException {
        String old = sample.base();
        Sample.write(sample.repository, "later", "later\n");
        Sample.commitAll(sample.repository, "later");
        Sample.git(sample.repository, "checkout", "--quiet", "--detach", old);
        String base =
                worktrees.check(new CheckWorkspace(sample.repository, "HEAD")).base();
        assertThat(base).isEqualTo(old);
        Path worktree = worktrees.prepare(Sample.prepare(run, base)).worktree();
        assertThat(worktree.resolve("later")).doesNotExist();

        Sample.git(sample.repository, "checkout", "--quiet", "main");
        Sample.write(sample.repository, "a.txt", "rewritten\n");
        Sample.git(sample.repository, "commit", "--quiet", "--all", "--amend", "--message", "rewritten");
        Sample.write(worktree, "new", "of the run\n");
        StepCommitted done = commit(run, base, "s1");

        assertThat(done.total()).isEqualTo(new Changes(1, 1, 0));
        assertThat(worktree.resolve("a.txt")).hasContent("one\ntwo\nthree");
        assertThat(worktrees
                        .merge(new MergeRun(
                                Sample.RUN, sample.repository, run.branch(), false, Optional.empty(), false))
                        .commit())
                .isPresent();
        assertThat(sample.repository.resolve("a.txt")).hasContent("rewritten");
        assertThat(sample.repository.resolve("new")).hasContent("of the run");
    }

    @Test
    void aBigFileIsCommittedCountedAndUndone() throws IOException {
        String base = sample.base();
        Path worktree = prepared(run);
        Path big = worktree.resolve("big");
        try (RandomAccessFile file = new RandomAccessFile(big.toFile(), "rw")) {
            file.setLength((long) BIG_MEGABYTES << 20);
        }

        StepCommitted done = commit(run, base, "s1");

        assertThat(done.changes()).isEqualTo(new Changes(1, 0, 0));
        assertThat(Sample.git(worktree, "cat-file", "-s", "HEAD:big"))
                .isEqualTo(Long.toString((long) BIG_MEGABYTES << 20));
        worktrees.reset(new ResetWorktree(run, base, "u1"));
        assertThat(big).doesNotExist();
    }

    @Test
    void aPersonMayCommitInTheWorktreeRemoveItsBranchOrAllOfIt() throws IOException {
        String base = sample.base();
        Path worktree = prepared(run);
        Sample.write(worktree, "a.txt", "of the agent\n");
        String head = commit(run, base, "s1").head();

        Sample.write(worktree, "mine", "of the person\n");
        String persons = Sample.commitAll(worktree, "by the person");
        Sample.write(worktree, "a.txt", "again\n");
        StepCommitted both = commit(run, head, "s2");
        assertThat(Sample.log(worktree, base + "..")).containsExactly("s2: PROGRESS", "by the person", "s1: PROGRESS");
        assertThat(both.changes().files()).isEqualTo(2);
        assertThat(Sample.git(worktree, "rev-parse", "HEAD^")).isEqualTo(persons);

        Sample.git(sample.repository, "update-ref", "-d", "refs/heads/" + run.branch());
        Sample.write(worktree, "b.txt", "without a branch\n");
        StepCommitted again = commit(run, both.head(), "s3");
        assertThat(Sample.git(worktree, "rev-parse", "HEAD^")).isEqualTo(both.head());

        Folders.delete(worktree);
        assertThatThrownBy(() -> commit(run, again.head(), "s4"))
                .isInstanceOfSatisfying(
                        WorktreeException.class,
                        failure -> assertThat(failure.problem()).isEqualTo(Problem.WORKTREE_GONE));
        assertThat(prepared(run).resolve("b.txt")).hasContent("without a branch");
        assertThat(commit(run, again.head(), "s4").commit()).isEmpty();
    }

    /** Names of folders are bytes, too; a machine without a locale cannot even spell them. */
    @Test
    void worktreesOfThePersonAtPathsThatAreNoTextAreNoMatter() throws Exception {
        shell(
                sample.repository,
                "git worktree add --quiet -b feature \"$(printf '../by\\377te')\"; git worktree add --quiet -b other \"$(printf '../gr\\303\\274n')\"");

        Path worktree = prepared(run);

        assertThat(worktree.resolve("a.txt")).exists();
        assertThat(worktrees.finish(new FinishWorktree(run, false, false)).reason())
                .isEmpty();
        assertThat(Sample.git(sample.repository, "worktree", "list").lines()).hasSize(3);
    }
}
