package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names the refs that Loopkeeper uses in a repository. */
final class Refs {
    private static final String ITEMS = "loopkeeper/items/";
    private static final Pattern BAD_PART =
            Pattern.compile("[\\x00-\\x20\\x7f~^:?*\\[\\\\]|\\.\\.|@\\{|^[.]|[.]$|\\.lock$|^$|^@$");

    private Refs() {}

    static String branch(String name) {
        return "refs/heads/" + checked(name);
    }

    /** Returns the prefix of all refs of a run except its branches. */
    static String of(String runId) {
        return "refs/loopkeeper/" + checked(runId);
    }

    /** Returns the ref of a branch's base commit; it marks the branch as owned by the run. */
    static String base(String runId, String branch) {
        return of(runId) + "/base/" + checked(branch);
    }

    static String undone(String runId, String name) {
        return of(runId) + "/undone/" + checked(name);
    }

    static String archived(String runId, String branch) {
        return of(runId) + "/branches/" + checked(branch);
    }

    /** Returns patterns of the refs that mark a branch as that of any run, working or over. */
    static List<String> marks(String branch) {
        return List.of("refs/loopkeeper/*/base/" + branch, "refs/loopkeeper/*/branches/" + branch);
    }

    /** Returns the prefix of the branches of the run's items. */
    static String items(String runId) {
        return ITEMS + checked(runId);
    }

    /** Whether the ref is the branch of an item of any run; Loopkeeper removes it at the end of the attempt. */
    static boolean isOfItem(String ref) {
        return ref.startsWith("refs/heads/" + ITEMS);
    }

    /** Returns the branch of the item whose base this ref is, if it is one. */
    static Optional<String> itemOfBase(String runId, String ref) {
        String ofItems = base(runId, items(runId)) + "/";
        return Optional.of(ref)
                .filter(base -> base.startsWith(ofItems))
                .map(base -> items(runId) + base.substring(ofItems.length() - 1));
    }

    /** Checks a name by the rules of git-check-ref-format(1), and that it is not an option. */
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
