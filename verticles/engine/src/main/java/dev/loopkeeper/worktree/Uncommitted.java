package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds, adds and saves changes that are in no commit. Blocking. */
final class Uncommitted {
    /** Excludes the files that Loopkeeper and its agents exchange, which are not part of the work. */
    private static final String WITHOUT_OURS = ":(exclude,glob)**/.loopkeeper/**";

    private static final Pattern REPOSITORY_WITHOUT_COMMIT =
            Pattern.compile("'(.+?)/?' does not have a commit checked out");

    /** A repository, a file that Loopkeeper exchanges with its agents, or a name that is no UTF-8. */
    private static final Pattern NOT_PLAIN = Pattern.compile("/$|(^|/)\\.loopkeeper/|\uFFFD");

    /** Length of the status before a name. */
    private static final int STATUS = 3;

    /**
     * What was added.
     *
     * @param any whether anything differed from the head
     * @param left repositories without a commit, which git cannot record
     */
    record Added(boolean any, List<String> left) {
        private static final Added NOTHING = new Added(false, List.of());
    }

    private final GitCalls calls;
    private final Commits commits;

    Uncommitted(GitCalls calls, Commits commits) {
        this.calls = calls;
        this.commits = commits;
    }

    /** Whether {@link #add} would find changes. */
    boolean isUnclean(Checkout checkout) {
        GitCall call = status(checkout.folder(), "--untracked-files=normal", "--", ".", WITHOUT_OURS)
                .with(Map.of("GIT_OPTIONAL_LOCKS", "0"));
        return calls.good(call).bytes().length > 0;
    }

    private static GitCall status(Path folder, String... more) {
        List<String> words =
                new ArrayList<>(List.of("status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=dirty"));
        words.addAll(List.of(more));
        return GitCall.in(folder, words.toArray(String[]::new));
    }

    /** Returns the tracked files of a user's checkout with changes, as git prints names. Writes nothing. */
    List<String> tracked(Path checkout) {
        GitCall call = GitCall.in(checkout, "status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames")
                .with(Map.of("GIT_OPTIONAL_LOCKS", "0"));
        return calls.good(call).fields().stream()
                .map(field -> GitNames.spelled(Arrays.copyOfRange(field, Math.min(STATUS, field.length), field.length)))
                .toList();
    }

    /**
     * Creates a commit without a ref, on top of the head, with all uncommitted changes. Empty where there are none.
     */
    Optional<String> save(Path folder, String head, String subject, String runId) {
        add(folder);
        return commit(folder, head, Commits.message(subject, List.of(Commits.trailer("Run", runId))));
    }

    /** Creates a commit of the index, without a ref, on top of the head; empty where both are the same. */
    Optional<String> commit(Path folder, String head, String message) {
        String tree = calls.good(GitCall.in(folder, "write-tree")).text();
        return tree.equals(commits.tree(folder, head))
                ? Optional.empty()
                : Optional.of(commits.make(folder, tree, message, head));
    }

    private static GitCall adding(Path folder, String... options) {
        List<String> words = new ArrayList<>(List.of("add", "--all", "--sparse"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", ".", WITHOUT_OURS));
        return GitCall.in(folder, words.toArray(String[]::new));
    }

    /**
     * Adds all changes to the index. In a large repository it takes git longer to search for changes than to take those
     * that its status has named.
     */
    @CanIgnoreReturnValue
    Added add(Path folder) {
        List<String> names = calls.good(status(folder, "--untracked-files=all")).fields().stream()
                .map(field -> new String(field, STATUS, field.length - STATUS, StandardCharsets.UTF_8))
                .toList();
        if (names.isEmpty()) {
            return Added.NOTHING;
        }
        String given = String.join("\0", names) + "\0";
        boolean plain = given.getBytes(StandardCharsets.UTF_8).length <= GitCall.MOST_INPUT
                && names.stream().noneMatch(name -> NOT_PLAIN.matcher(name).find());
        GitCall take = GitCall.in(folder, "update-index", "--add", "--remove", "--replace", "-z", "--stdin");
        return new Added(true, plain && calls.ask(take.given(given)).isGood() ? List.of() : addAll(folder));
    }

    /** Returns the repositories without a commit, which git cannot record; everything else is still added. */
    private List<String> addAll(Path folder) {
        GitCall call = adding(folder);
        GitAnswer answer = calls.ask(call);
        boolean incomplete =
                REPOSITORY_WITHOUT_COMMIT.matcher(answer.complaint()).find();
        if (incomplete) {
            call = adding(folder, "--ignore-errors");
            answer = calls.ask(call);
        }
        if (answer.exit() > (incomplete ? 1 : 0)) {
            throw GitCalls.failure(call, answer);
        }
        return REPOSITORY_WITHOUT_COMMIT
                .matcher(answer.complaint())
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** Whether something was added since the head. */
    boolean isAdded(Checkout checkout) {
        return !calls.isYes(GitCall.in(
                checkout.folder(), "diff-index", "--cached", "--quiet", "--ignore-submodules=dirty", "HEAD", "--"));
    }
}
