package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent in a sandbox can write the settings of repositories in its worktree, and git runs outside of the sandbox. */
class NestedRepositoriesTest extends WorktreeOfARun {
    private Path escaped;

    @BeforeEach
    void choose() {
        escaped = folder.resolve("escaped");
    }

    /** The next git that compares the file, of the same size, runs the filter of this repository. */
    private void plant(Path repository, String file, String text) throws IOException {
        Sample.git(repository, "config", "filter.evil.clean", "touch " + escaped + "; cat");
        Sample.git(repository, "config", "filter.evil.smudge", "touch " + escaped + "; cat");
        Path attributes = Path.of(Sample.git(repository, "rev-parse", "--absolute-git-dir"), "info/attributes");
        Files.createDirectories(attributes.getParent());
        Files.writeString(attributes, "* filter=evil\n");
        Sample.write(repository, file, text);
    }

    private void assertThatPlainGitRunsIt(String... words) throws IOException {
        assertThat(escaped).doesNotExist();
        Sample.git(worktree, words);
        assertThat(escaped).exists();
    }

    private String commit(String from, String step) {
        return worktrees.commit(Sample.commit(run, from, base, step)).head();
    }

    @ParameterizedTest
    @ValueSource(strings = {"app", "a b/ü"})
    void aCommitRunsNoFilterOfARepositoryInTheWorktree(String name) throws IOException {
        Path app = Files.createDirectories(worktree.resolve(name));
        Sample.git(app, "init", "--quiet");
        Sample.write(app, "main.js", "work");
        Sample.commitAll(app, "init");
        String first = commit(base, "s1");
        plant(app, "main.js", "WORK");

        assertThat(commit(first, "s2")).isEqualTo(first);
        assertThatPlainGitRunsIt("add", "--all");

        Sample.git(app, "commit", "--quiet", "--allow-empty", "--message", "moved");
        Files.delete(escaped);
        String moved = commit(first, "s3");
        assertThat(escaped).doesNotExist();
        assertThat(Sample.git(worktree, "rev-parse", "HEAD:" + name)).isEqualTo(Sample.git(app, "rev-parse", "HEAD"));
        assertThat(moved).isNotEqualTo(first);
    }

    @Test
    void noFilterOfASubmoduleRunsOutside() throws IOException {
        Path library = Files.createDirectory(folder.resolve("library"));
        Sample.git(library, "init", "--quiet");
        Sample.write(library, "lib.c", "1");
        Sample.commitAll(library, "init");
        String local = "protocol.file.allow=always";
        Sample.git(
                worktree,
                "-c",
                local,
                "submodule",
                "--quiet",
                "add",
                library.toRealPath().toString(),
                "lib");
        String first = commit(base, "s1");
        Path submodule = worktree.resolve("lib");
        plant(submodule, "lib.c", "2");

        assertThat(commit(first, "s2")).isEqualTo(first);
        worktrees.reset(new ResetWorktree(run, first, "u1"));
        assertThat(submodule.resolve("lib.c")).hasContent("1");
        assertThat(Sample.git(submodule, "show", "refs/loopkeeper/fix-1/undone/u1:lib.c"))
                .isEqualTo("2");
        plant(submodule, "lib.c", "2");
        assertThat(worktrees.finish(new FinishWorktree(run, false, false)).reason())
                .contains("the submodule lib has changes that are not committed");
        assertThatPlainGitRunsIt("add", "--all");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mkdir $(printf '\\377'); printf '160000 %s\\t\\377\\0' $0 | git update-index -z --index-info",
                "seq 10001 | sed \"s/^/160000 $0\\tn/\" | git update-index --index-info",
            })
    void namesThatCannotBeExcludedAreRefused(String script) throws IOException {
        Process shell = new ProcessBuilder("sh", "-c", script, base)
                .directory(worktree.toFile())
                .start();
        assertThat(shell.onExit().join().exitValue()).isZero();

        assertThatThrownBy(() -> commit(base, "s1")).hasMessageContaining("not in UTF-8; remove them with git rm");
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT_EDITMSG", "logs/HEAD", "index", "config.worktree"})
    void noLinkInTheGitFolderLeadsACommitToOtherFiles(String name) throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "x");
        Path link = Path.of(Sample.git(worktree, "rev-parse", "--absolute-git-dir"), name);
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, victim);
        Sample.write(worktree, "new.txt", "new");

        assertThatThrownBy(() -> commit(base, "s1")).hasMessageContaining("worktree");
        assertThat(victim).hasContent("x");
    }

    @Test
    void noLinkLeadsTheLogOfTheBranchToOtherFiles() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "x");
        Path log = sample.repository.resolve(".git/logs/refs/heads").resolve(run.branch());
        Files.createDirectories(log.getParent());
        Files.deleteIfExists(log);
        Files.createSymbolicLink(log, victim);
        Sample.write(worktree, "new.txt", "new");

        assertThatThrownBy(() -> commit(base, "s1")).hasMessageContaining("would lead git to write elsewhere");
        assertThat(victim).hasContent("x");
    }
}
