package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitException;
import dev.loopkeeper.git.GitOutput;
import dev.loopkeeper.git.GitProgram;
import dev.loopkeeper.git.GitVersion;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs git and reports failures as {@link WorktreeException}.
 *
 * @param mark environment of each call, see {@link OrphanedGit}
 */
record GitCalls(GitProgram git, Map<String, String> mark, RunningGits running) {
    /** Error texts of full or failing disks, from the system and from git itself. */
    private static final List<String> DISK_ERRORS = List.of(
            "No space left on device",
            "Disk quota exceeded",
            "Read-only file system",
            "Input/output error",
            "File too large",
            "couldn't write",
            "could not write",
            "unable to write",
            "failed to write",
            "write error");

    private static final Pattern FILTER = Pattern.compile("(?:smudge|clean) filter '?([^' ]+)'? failed");
    private static final int LONGEST = 600;
    private static final int BEFORE_SIGNALS = 128;
    /** SIGXFSZ: a file beyond the limit on its size. */
    private static final int TOO_LARGE = 25;
    /** Exit codes above this mean a signal; git itself exits with 129 for an unknown option. */
    private static final int SIGNALS = 129;

    /**
     * Runs git and returns the answer for any exit code. A call in a session of its own is not stopped by the next
     * runtime.
     */
    GitAnswer ask(GitCall call) {
        try {
            return running.ask(call.apart() ? call : call.with(mark), git);
        } catch (GitException failure) {
            throw failure(failure);
        }
    }

    /** Starts git; {@link #read} reads its output. */
    GitOutput open(GitCall call) {
        try {
            return git.open(call.with(mark));
        } catch (GitException failure) {
            throw failure(failure);
        }
    }

    /** See {@link GitOutput#read}. */
    static byte[] read(GitOutput output, int most) {
        try {
            return output.read(most);
        } catch (GitException failure) {
            throw new WorktreeException(failure.isLate() ? Problem.TIMED_OUT : Problem.FAILED, failure.getMessage());
        }
    }

    GitVersion version(Path folder) {
        try {
            return GitVersion.of(git, folder);
        } catch (GitException failure) {
            throw failure(failure);
        }
    }

    private static WorktreeException failure(GitException failure) {
        return ResourceExhaustedException.in(failure)
                .map(starved -> new WorktreeException(Problem.STARVED, starved.getMessage()))
                .orElseGet(() -> new WorktreeException(
                        failure.isLate() ? Problem.TIMED_OUT : Problem.GIT_UNUSABLE, failure.getMessage()));
    }

    /** Runs git; fails unless it succeeds. */
    @CanIgnoreReturnValue
    GitAnswer good(GitCall call) {
        GitAnswer answer = ask(call);
        if (!answer.isGood()) {
            throw failure(call, answer);
        }
        return answer;
    }

    /** Returns the output; empty on exit code 1, which means no. Fails on any other exit code. */
    Optional<String> line(GitCall call) {
        return yes(call).map(GitAnswer::text).filter(text -> !text.isEmpty());
    }

    /** Returns true on success and false on exit code 1; fails on any other exit code. */
    boolean isYes(GitCall call) {
        return yes(call).isPresent();
    }

    private Optional<GitAnswer> yes(GitCall call) {
        GitAnswer answer = ask(call);
        if (answer.exit() > 1) {
            throw failure(call, answer);
        }
        return answer.isGood() ? Optional.of(answer) : Optional.empty();
    }

    /** Whether a filter of the repository failed; git may have written other files before. */
    static boolean isOfFilter(GitAnswer answer) {
        return FILTER.matcher(answer.complaint()).find();
    }

    /** Builds the exception for a failed answer. */
    static WorktreeException failure(GitCall call, GitAnswer answer) {
        String said = answer.complaint();
        if (answer.exit() == BEFORE_SIGNALS + TOO_LARGE) {
            return new WorktreeException(
                    Problem.DISK,
                    "git " + call.words().get(0) + " in " + call.folder() + " cannot write a file of the required size "
                            + "(ulimit -f, signal " + TOO_LARGE + "); raise this limit, then retry");
        }
        if (answer.exit() > SIGNALS) {
            return new WorktreeException(
                    Problem.KILLED,
                    "git " + call.words().get(0) + " was killed by signal " + (answer.exit() - BEFORE_SIGNALS)
                            + (said.isBlank() ? "" : ": " + said.substring(0, Math.min(said.length(), LONGEST))));
        }
        String text = "git " + call.words().get(0) + " ended with " + answer.exit()
                + (said.isBlank()
                        ? " without a message" + (call.hooks() ? ", perhaps because a hook refused the commit" : "")
                        : ": " + said.substring(0, Math.min(said.length(), LONGEST)));
        if (DISK_ERRORS.stream().anyMatch(said::contains)) {
            return new WorktreeException(
                    Problem.DISK,
                    text + "; free disk space for " + call.folder() + " and its repository, then try again");
        }
        if (said.contains(".lock': File exists")) {
            return new WorktreeException(Problem.LOCKED, text);
        }
        Matcher filter = FILTER.matcher(said);
        if (filter.find()) {
            text += "; install the program of the filter " + filter.group(1)
                    + " on this machine, or run git config filter." + filter.group(1)
                    + ".required false to keep the files as they are stored";
        }
        if (said.contains("would be replaced by ")) {
            text +=
                    "; give the file the line ends that .gitattributes or core.autocrlf require, or let git change them: "
                            + "git config core.safecrlf warn";
        }
        return new WorktreeException(Problem.FAILED, text);
    }
}
