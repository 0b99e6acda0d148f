package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreeException.Problem;
import java.util.Optional;
import java.util.regex.Pattern;

/** The names that are ours in a repository. */
final class Refs {
    private static final Pattern BAD_PART =
            Pattern.compile("[\\x00-\\x20\\x7f~^:?*\\[\\\\]|\\.\\.|@\\{|^[.]|[.]$|\\.lock$|^$|^@$");

    private Refs() {}

    static String branch(String name) {
        return "refs/heads/" + checked(name);
    }

    /** All that a run has beside its branches. */
    static String of(String runId) {
        return "refs/loopkeeper/" + checked(runId);
    }

    /** Where a branch of the run begins: that there is one says that the branch is the run's. */
    static String base(String runId, String branch) {
        return of(runId) + "/base/" + checked(branch);
    }

    static String undone(String runId, String name) {
        return of(runId) + "/undone/" + checked(name);
    }

    static String archived(String runId, String branch) {
        return of(runId) + "/branches/" + checked(branch);
    }

    /** The branches of the run's items are below this one. */
    static String items(String runId) {
        return "loopkeeper/items/" + checked(runId);
    }

    /** The branch of an item of the run whose base this ref is, if it is one. */
    static Optional<String> itemOfBase(String runId, String ref) {
        String ofItems = base(runId, items(runId)) + "/";
        return Optional.of(ref)
                .filter(base -> base.startsWith(ofItems))
                .map(base -> items(runId) + base.substring(ofItems.length() - 1));
    }

    /** By the rules of git-check-ref-format(1), and no option. */
    private static String checked(String name) {
        for (String part : name.split("/", -1)) {
            if (BAD_PART.matcher(part).find()) {
                throw new WorktreeException(Problem.BAD_BRANCH, "\"" + name + "\" fits no branch of git");
            }
        }
        if (name.startsWith("-")) {
            throw new WorktreeException(Problem.BAD_BRANCH, "\"" + name + "\" fits no branch of git");
        }
        return name;
    }
}
