package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.PreparedFolder;
import dev.loopkeeper.contract.WorktreeChannels.CommitMessage;
import dev.loopkeeper.contract.WorktreeChannels.CommitStep;
import dev.loopkeeper.contract.WorktreeChannels.PrepareWorktree;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitException;
import dev.loopkeeper.git.GitProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A small repository, a data folder and a run. */
final class Sample {
    static final String RUN = "fix-1";
    /** Without syncs, of which a run of the tests would make some ten thousand. */
    static final GitProgram GIT = new Unsynced();

    private static final PreparedFolder PREPARED = new PreparedFolder(Sample::fill);

    private static final Map<String, String> WHO = Map.of(
            "GIT_AUTHOR_NAME", "Ada",
            "GIT_AUTHOR_EMAIL", "ada@example.org",
            "GIT_COMMITTER_NAME", "Ada",
            "GIT_COMMITTER_EMAIL", "ada@example.org");

    /** Whatever the person's and the machine's own settings of git are. */
    private static final Map<String, String> ALONE = Map.of(
            "GIT_TEST_FSYNC", "false",
            "GIT_CONFIG_GLOBAL", "/dev/null",
            "GIT_CONFIG_SYSTEM", "/dev/null",
            "HOME", "/nonexistent",
            "XDG_CONFIG_HOME", "/nonexistent");

    /** The program as it is, but for its syncs. */
    static class Unsynced extends GitProgram {
        Unsynced() {
            this("git");
        }

        Unsynced(String program) {
            super(program);
        }

        @Override
        public GitAnswer run(GitCall call, Consumer<ProcessHandle> started) throws GitException {
            return super.run(call.with(ALONE), started);
        }
    }

    final Path repository;
    final Path data;

    /** With {@code a.txt}, {@code sub/b.txt} and {@code .gitignore} in one commit on {@code main}. */
    Sample(Path folder) throws IOException {
        Path real = folder.toRealPath();
        repository = Files.createDirectory(real.resolve("repository"));
        data = Files.createDirectories(real.resolve("data"));
        Files.createDirectories(data.resolve("runs").resolve(RUN));
        PREPARED.copyTo(repository);
        git(repository, "update-index", "--refresh");
    }

    private static void fill(Path folder) throws IOException {
        git(folder, "init", "--quiet", "--initial-branch=main");
        git(folder, "config", "user.name", "Ada");
        git(folder, "config", "user.email", "ada@example.org");
        write(folder, "a.txt", "one\ntwo\nthree\n");
        write(folder, "sub/b.txt", "b\n");
        write(folder, ".gitignore", "ignored/\n");
        commitAll(folder, "base");
    }

    /** What it says; fails unless it ends well. */
    @CanIgnoreReturnValue
    static String git(Path folder, String... words) throws IOException {
        GitAnswer answer = GIT.run(GitCall.in(folder, words).with(WHO));
        assertThat(answer.exit()).as(answer.complaint()).isZero();
        return answer.text();
    }

    @CanIgnoreReturnValue
    static String commitAll(Path folder, String message) throws IOException {
        git(folder, "add", "--all");
        git(folder, "commit", "--quiet", "--message", message);
        return git(folder, "rev-parse", "HEAD");
    }

    @CanIgnoreReturnValue
    static Path write(Path folder, String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    Worktrees worktrees() {
        return new Worktrees(data, GIT);
    }

    String base() throws IOException {
        return git(repository, "rev-parse", "main");
    }

    WorktreeLocation location() {
        return new WorktreeLocation(RUN, repository, "worktree", "loopkeeper/" + RUN);
    }

    WorktreeLocation item(String item, int attempt) {
        String name = item + "." + attempt;
        return new WorktreeLocation(RUN, repository, "worktrees/" + name, "loopkeeper/items/" + RUN + "/" + name);
    }

    static PrepareWorktree prepare(WorktreeLocation location, String base, String... copy) {
        return new PrepareWorktree(location, base, base, "", List.of(copy), true);
    }

    static CommitStep commit(WorktreeLocation location, String from, String base, String step) {
        return new CommitStep(
                location, from, base, new CommitMessage(step + ": PROGRESS", step, "n-" + step, "PROGRESS"), false);
    }

    static List<String> log(Path folder, String range) throws IOException {
        return git(folder, "log", "--format=%s", range).lines().toList();
    }
}
