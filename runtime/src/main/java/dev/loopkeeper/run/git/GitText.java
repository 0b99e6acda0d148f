package dev.loopkeeper.run.git;

import java.util.List;

/** Formats facts of git for people. */
public final class GitText {
    private static final int SHORT = 10;
    private static final int NAMES = 20;

    private GitText() {}

    /** The abbreviated hash of a commit. */
    public static String shortened(String commit) {
        return commit.length() > SHORT ? commit.substring(0, SHORT) : commit;
    }

    /** The first names, and the number of further names. */
    public static String names(List<String> files) {
        List<String> first = files.subList(0, Math.min(NAMES, files.size()));
        int more = files.size() - first.size();
        return String.join(", ", first) + (more > 0 ? " and " + more + " more" : "");
    }
}
