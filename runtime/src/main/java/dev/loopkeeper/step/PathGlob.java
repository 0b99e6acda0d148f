package dev.loopkeeper.step;

import com.google.re2j.Pattern;

/**
 * A pattern of paths as git's {@code glob} reads them: {@code *} and {@code ?} stop at a slash, {@code **} between slashes
 * stands for any folders, none included.
 */
public final class PathGlob {
    private static final String ALL_BELOW = "/**";

    private final Pattern whole;
    private final Pattern path;

    public PathGlob(String glob) {
        String plain = (glob.startsWith("./") ? glob.substring(2) : glob).replaceFirst("/+$", "");
        path = compiled(plain);
        whole = plain.endsWith(ALL_BELOW) ? compiled(plain.substring(0, plain.length() - ALL_BELOW.length())) : path;
    }

    /** Whether it stands for this path, or for all that is in the folder of this path. */
    public boolean fits(String relative) {
        return path.matches(relative) || whole.matches(relative);
    }

    private static Pattern compiled(String glob) {
        StringBuilder regex = new StringBuilder();
        int at = 0;
        while (at < glob.length()) {
            if (glob.startsWith("**/", at) && (at == 0 || glob.charAt(at - 1) == '/')) {
                regex.append("(?:.*/)?");
                at += 3;
            } else if (glob.startsWith("**", at)) {
                regex.append(".*");
                at += 2;
            } else {
                String one = glob.substring(at, glob.offsetByCodePoints(at, 1));
                regex.append(one.equals("*") ? "[^/]*" : one.equals("?") ? "[^/]" : Pattern.quote(one));
                at += one.length();
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }
}
