package dev.loopkeeper.run;

import java.util.List;

/** Facts of git in words. */
public final class GitText {
    private static final int SHORT = 10;
    private static final int NAMES = 20;

    private GitText() {}

    /** The first letters of a commit's hash, as people write it. */
    public static String shortened(String commit) {
        return commit.length() > SHORT ? commit.substring(0, SHORT) : commit;
    }

    static String changes(int files, long insertions, long deletions) {
        return files + (files == 1 ? " file" : " files") + ", +" + insertions + " -" + deletions;
    }

    /** The first of them, and how many more there are. */
    public static String names(List<String> files) {
        List<String> first = files.subList(0, Math.min(NAMES, files.size()));
        int more = files.size() - first.size();
        return String.join(", ", first) + (more > 0 ? " and " + more + " more" : "");
    }
}
