package dev.loopkeeper.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What git says of a repository, and what it does not check. */
class RepositoryDigestTest {
    private final WorkspaceDigest digest =
            new WorkspaceDigest(Clock.systemUTC(), WorkspaceDigest.Limits.DEFAULTS, "git");

    @TempDir
    private Path folder;

    private Path workspace;

    @BeforeEach
    void repository() throws Exception {
        workspace = Files.createDirectory(folder.resolve("workspace"));
        git(workspace, "init", "-q");
        write("tracked", "1");
        write("deep/tracked", "1");
        git(workspace, "add", ".");
        git(workspace, "commit", "-q", "-m", "one");
    }

    private String hash() throws IOException {
        return digest.take(workspace, folder.resolve("data"), List.of()).hash();
    }

    @CanIgnoreReturnValue
    private Path write(String name, String text) throws IOException {
        Path file = workspace.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @CanIgnoreReturnValue
    private static String git(Path in, String... words) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"));
        command.addAll(List.of(words));
        return run(in, command);
    }

    private static String run(Path in, List<String> command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text.strip();
    }

    @Test
    void seesEveryStateOfAFileOnce() throws Exception {
        String clean = hash();
        List<String> seen = new ArrayList<>(List.of(clean));
        write("tracked", "2");
        seen.add(hash());
        write("tracked", "3");
        seen.add(hash());
        Files.delete(workspace.resolve("tracked"));
        seen.add(hash());
        write("new", "1");
        seen.add(hash());
        write("new", "2");
        seen.add(hash());
        assertThat(seen).doesNotHaveDuplicates();

        write("tracked", "1");
        Files.delete(workspace.resolve("new"));
        assertThat(hash()).isEqualTo(clean);
    }

    @Test
    void toStageIsNoChange() throws Exception {
        write("tracked", "2");
        write("new", "1");
        String before = hash();

        git(workspace, "add", "--intent-to-add", "new");
        assertThat(hash()).isEqualTo(before);
        git(workspace, "add", ".");
        assertThat(hash()).isEqualTo(before);
        write("new", "2");
        assertThat(hash()).isNotEqualTo(before);
    }

    @Test
    void onlyAnotherCommitIsAChange() throws Exception {
        String one = hash();
        git(workspace, "commit", "-q", "--allow-empty", "-m", "two");
        String two = hash();
        git(workspace, "commit", "-q", "--amend", "--allow-empty", "-m", "three");

        assertThat(List.of(one, two, hash())).doesNotHaveDuplicates();
        git(workspace, "reset", "-q", "--hard", "HEAD^");
        assertThat(hash()).isEqualTo(one);
    }

    @Test
    void seesChangesThatGitIgnores() throws Exception {
        for (String mark : List.of("assume-unchanged", "skip-worktree")) {
            git(workspace, "update-index", "--" + mark, "deep/tracked");
            String before = hash();
            write("deep/tracked", mark);
            assertThat(hash()).as(mark).isNotEqualTo(before);
            git(workspace, "update-index", "--no-" + mark, "deep/tracked");
            write("deep/tracked", "1");
        }
    }

    @Test
    void whatIsMarkedAndLiesBehindALinkIsNotFollowed() throws Exception {
        git(workspace, "update-index", "--skip-worktree", "deep/tracked");
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("tracked"), "1");
        Files.delete(workspace.resolve("deep/tracked"));
        Files.delete(workspace.resolve("deep"));
        Files.createSymbolicLink(workspace.resolve("deep"), outside);
        String before = hash();

        Files.writeString(outside.resolve("tracked"), "2");

        assertThat(hash()).isEqualTo(before);
    }

    @Test
    void seesEveryChangeInASubmodule() throws Exception {
        Path library = Files.createDirectory(folder.resolve("library"));
        git(library, "init", "-q");
        Files.writeString(library.resolve("file"), "1");
        git(library, "add", ".");
        git(library, "commit", "-q", "-m", "one");
        git(workspace, "submodule", "--quiet", "add", library.toString(), "sub");
        git(workspace, "commit", "-q", "-m", "sub");
        git(workspace, "config", "submodule.sub.ignore", "all");
        List<String> seen = new ArrayList<>(List.of(hash()));

        for (String content : List.of("2", "3")) {
            write("sub/file", content);
            seen.add(hash());
        }
        git(workspace.resolve("sub"), "commit", "-q", "-a", "-m", "three");
        seen.add(hash());
        git(workspace.resolve("sub"), "commit", "-q", "--allow-empty", "-m", "four");
        seen.add(hash());
        write("sub/new", "1");
        seen.add(hash());

        assertThat(seen).doesNotHaveDuplicates();
    }

    @Test
    void seesEveryChangeInAnUntrackedRepository() throws Exception {
        write("inner/file", "1");
        git(workspace.resolve("inner"), "init", "-q");
        List<String> seen = new ArrayList<>(List.of(hash()));

        write("inner/file", "2");
        seen.add(hash());
        git(workspace.resolve("inner"), "add", ".");
        git(workspace.resolve("inner"), "commit", "-q", "-m", "one");
        seen.add(hash());
        write("inner/file", "3");
        seen.add(hash());
        git(workspace, "add", "inner");
        git(workspace, "commit", "-q", "-m", "a link to its commit");
        seen.add(hash());
        write("inner/file", "4");
        seen.add(hash());

        assertThat(seen).doesNotHaveDuplicates();
    }

    @Test
    void oddNamesAreFound() throws Exception {
        write(".gitignore", "made\n");
        write("made", "1");
        for (String name : List.of("a\nb", "tab\tand \"quotes\"", " space ", "%41", "-dash", "\303\251", "no\377utf")) {
            // The shell makes the bytes, whatever the locale of this test.
            String file = "./$(printf -- '"
                    + name.replace("%", "%%").replace("\n", "\\n").replace("\t", "\\t") + "')";
            run(workspace, List.of("sh", "-c", "printf 1 > \"" + file + "\""));
            String one = hash();
            run(workspace, List.of("sh", "-c", "printf 2 > \"" + file + "\""));
            assertThat(hash()).as(name).isNotEqualTo(one);
            run(workspace, List.of("sh", "-c", "printf 1 > \"" + file + "\""));
            write("made", name);
            assertThat(hash()).as(name).isEqualTo(one);
        }
    }

    @Test
    void settingsOfTheRepositoryHideNothing() throws Exception {
        git(workspace, "config", "status.showUntrackedFiles", "no");
        git(workspace, "config", "status.relativePaths", "true");
        String before = hash();
        write("deep/new", "1");
        String one = hash();
        write("deep/new", "2");

        assertThat(List.of(before, one, hash())).doesNotHaveDuplicates();
    }

    @Test
    void aPartOfARepositoryIsAllThatCounts() throws Exception {
        Path whole = workspace;
        workspace = whole.resolve("deep");
        String before = hash();

        Files.writeString(whole.resolve("new"), "1");
        assertThat(hash()).isEqualTo(before);
        write("tracked", "2");
        String changed = hash();
        assertThat(changed).isNotEqualTo(before);
        write("tracked", "3");
        assertThat(hash()).isNotEqualTo(changed);
        Files.delete(workspace.resolve("tracked"));
        assertThat(hash()).isNotEqualTo(before);
    }

    @Test
    void aConflictCountsByWhatLiesThere() throws Exception {
        String branch = git(workspace, "symbolic-ref", "--short", "HEAD");
        git(workspace, "checkout", "-q", "-b", "other");
        write("tracked", "theirs");
        git(workspace, "commit", "-q", "-a", "-m", "theirs");
        git(workspace, "checkout", "-q", branch);
        write("tracked", "ours");
        git(workspace, "commit", "-q", "-a", "-m", "ours");
        run(workspace, List.of("sh", "-c", "git -c user.name=a -c user.email=a@b merge -q other || true"));
        String conflict = hash();

        write("tracked", "merged");
        String merged = hash();
        Files.delete(workspace.resolve("tracked"));

        assertThat(List.of(conflict, merged, hash())).doesNotHaveDuplicates();
    }

    @Test
    void nothingIsWrittenToTheRepository() throws Exception {
        // Facts that the index does not know: git status would note them.
        Files.setLastModifiedTime(workspace.resolve("tracked"), FileTime.fromMillis(0));
        FileFacts before = FileFacts.of(workspace.resolve(".git/index"));

        assertThat(hash()).isEqualTo(hash());

        assertThat(FileFacts.of(workspace.resolve(".git/index"))).isEqualTo(before);
    }

    @Test
    void readsOnlyChangedFiles() throws Exception {
        write("new", "1");
        WorkspaceDigest.Taken taken = digest.take(workspace, folder.resolve("data"), List.of());

        assertThat(taken.read()).isEqualTo(1);
    }

    /** A log that another process is writing. */
    @Test
    void aFileThatChangesWhileItIsReadIsReadAgain() throws Exception {
        Path log = write("log", "1");
        Thread writer = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                append(log);
            }
        });
        writer.start();
        try {
            assertThat(hash()).isNotEmpty();
        } finally {
            writer.interrupt();
            writer.join(Duration.ofSeconds(30).toMillis());
        }
        String last = hash();
        append(log);

        assertThat(hash()).isNotEqualTo(last);
    }

    private static void append(Path log) {
        try {
            Files.writeString(log, "1", java.nio.file.StandardOpenOption.APPEND);
        } catch (IOException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
