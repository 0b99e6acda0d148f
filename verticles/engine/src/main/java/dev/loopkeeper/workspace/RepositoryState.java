package dev.loopkeeper.workspace;

import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitException;
import dev.loopkeeper.git.GitProgram;
import dev.loopkeeper.git.TreeChange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a folder in the work tree of a repository, as git reports it. Names are bytes, relative to the
 * repository.
 *
 * @param commit that is checked out; {@code (initial)} where there is none
 * @param changed what may differ from that commit; a name that ends with a slash is a repository in this one
 * @param gone names in the commit or the index, but not in the work tree
 * @param complaint of git, e.g. of folders that it could not read; mostly empty
 */
record RepositoryState(String commit, List<byte[]> changed, List<byte[]> gone, String complaint) {
    private static final Logger LOG = LoggerFactory.getLogger(RepositoryState.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_BYTES = 32 << 20;
    /** Git writes no longer {@code .git} file. */
    private static final long LONGEST_POINTER = 4096;

    private static final String COMMIT = "# branch.oid ";
    private static final String ABSENT = "000000";

    /**
     * Asks git; nothing is written. Empty where git is absent, fails or is too slow. Fails where it names more than memory
     * holds.
     *
     * @param part of the work tree, relative; {@code .} for all of it
     */
    static Optional<RepositoryState> of(GitProgram git, Path repository, String part) throws IOException {
        return ask(
                        git,
                        repository,
                        "status",
                        "--porcelain=v2",
                        "-z",
                        "--branch",
                        "--no-ahead-behind",
                        "--no-renames",
                        "--untracked-files=all",
                        "--ignore-submodules=none",
                        "--",
                        ":(literal)" + part)
                .map(RepositoryState::read);
    }

    private static RepositoryState read(GitAnswer answer) {
        String commit = "";
        List<byte[]> changed = new ArrayList<>();
        List<byte[]> gone = new ArrayList<>();
        for (byte[] field : answer.fields()) {
            String text = new String(field, StandardCharsets.ISO_8859_1);
            if (text.startsWith(COMMIT)) {
                commit = text.substring(COMMIT.length());
            }
            switch (text.charAt(0)) {
                case '?' -> changed.add(nameBehind(1, field));
                // E.g. 1 .M N... 100644 100644 100644 HASH HASH NAME, with the mode in the work tree before the hashes.
                case '1' -> (text.split(" ", 7)[5].equals(ABSENT) ? gone : changed).add(nameBehind(8, field));
                case 'u' -> (text.split(" ", 8)[6].equals(ABSENT) ? gone : changed).add(nameBehind(10, field));
                default -> {
                    // A header.
                }
            }
        }
        return new RepositoryState(commit, changed, gone, answer.complaint());
    }

    private static byte[] nameBehind(int spaces, byte[] field) {
        int at = 0;
        for (int seen = 0; seen < spaces; at++) {
            seen += field[at] == ' ' ? 1 : 0;
        }
        return Arrays.copyOfRange(field, at, field.length);
    }

    /**
     * Names of tracked files at which git does not look: those marked {@code assume-unchanged} or {@code
     * skip-worktree}.
     */
    static Optional<List<byte[]>> unseen(GitProgram git, Path repository) throws IOException {
        return ask(git, repository, "ls-files", "-v", "-z")
                .map(answer -> answer.fields().stream()
                        .filter(field -> Character.isLowerCase(field[0]) || field[0] == 'S')
                        .map(field -> nameBehind(1, field))
                        .toList());
    }

    /** The names that {@code git ls-files} prints, relative to the folder; none where git does not answer. */
    static List<byte[]> names(GitProgram git, Path folder, String... options) throws IOException {
        String[] words =
                Stream.concat(Stream.of("ls-files", "-z"), Stream.of(options)).toArray(String[]::new);
        return ask(git, folder, words).map(GitAnswer::fields).orElse(List.of());
    }

    /** One line that git prints; empty where it does not answer. */
    static Optional<String> line(GitProgram git, Path folder, String... words) throws IOException {
        return ask(git, folder, words).map(GitAnswer::text);
    }

    /** The commit that is checked out. */
    static Optional<String> head(GitProgram git, Path folder) throws IOException {
        return line(git, folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}");
    }

    /** What the checked out commit has otherwise than an earlier one. Empty where no commit is checked out. */
    static Optional<List<TreeChange>> changedSince(GitProgram git, Path folder, String commit) throws IOException {
        return ask(git, folder, "diff-tree", "-r", "-z", "--no-renames", "--relative", commit, "HEAD")
                .map(TreeChange::read);
    }

    /** The file of the index, which git replaces whenever it changes; also where there is none yet. */
    static Path indexOf(Path repository) throws IOException {
        Path folder = repository.resolve(".git");
        if (Files.isRegularFile(folder) && Files.size(folder) <= LONGEST_POINTER) {
            // In a worktree it is a file that says where its part of the repository is.
            LockedFiles.refuse(folder);
            String line = Files.readString(folder, StandardCharsets.ISO_8859_1).strip();
            folder = repository.resolve(line.replaceFirst("^gitdir: *", ""));
        }
        return folder.resolve("index");
    }

    /** Whether the repository ignores this folder in it, or does not say. */
    static boolean ignores(GitProgram git, Path repository, String part) {
        try {
            return git.run(call(repository, "check-ignore", "-q", "--", part + "/"))
                            .exit()
                    != 1;
        } catch (GitException unknown) {
            return true;
        }
    }

    static GitCall call(Path repository, String... words) {
        return GitCall.in(repository, words)
                .with(Map.of("GIT_OPTIONAL_LOCKS", "0"))
                .within(PATIENCE)
                .saying(MOST_BYTES);
    }

    private static Optional<GitAnswer> ask(GitProgram git, Path repository, String... words) throws IOException {
        return ask(git, call(repository, words));
    }

    /** Empty where git is absent, fails or is too slow. */
    static Optional<GitAnswer> ask(GitProgram git, GitCall call) throws IOException {
        GitAnswer answer;
        try {
            answer = git.run(call);
        } catch (GitException failed) {
            LOG.debug("{}: {}", call.folder(), failed.getMessage());
            return Optional.empty();
        }
        if (answer.cut()) {
            throw new IOException("git lists more than " + MOST_BYTES + " bytes of file names in " + call.folder());
        }
        if (!answer.isGood()) {
            LOG.debug("{}: git {} ended with {}: {}", call.folder(), call.words(), answer.exit(), answer.complaint());
        }
        return Optional.of(answer).filter(GitAnswer::isGood);
    }
}
