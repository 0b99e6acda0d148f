package dev.loopkeeper.git;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of the installed git.
 *
 * @param text as git prints it, e.g. {@code git version 2.39.5}
 * @param isEnough whether it supports our worktrees: 2.38 or newer
 */
public record GitVersion(String text, boolean isEnough) {
    private static final Pattern VERSION = Pattern.compile("git version (\\d+)\\.(\\d+).*");
    private static final int MAJOR = 2;
    private static final int MINOR = 38;

    /** Asks it; fails as {@link GitProgram#run} does. Blocking. */
    public static GitVersion of(GitProgram git, Path folder) throws GitException {
        return read(git.run(GitCall.in(folder, "version")).text());
    }

    static GitVersion read(String text) {
        Matcher version = VERSION.matcher(text);
        if (!version.matches()) {
            return new GitVersion(text, false);
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        return new GitVersion(text, major > MAJOR || (major == MAJOR && minor >= MINOR));
    }
}
