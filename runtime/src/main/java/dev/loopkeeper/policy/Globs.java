package dev.loopkeeper.policy;

import com.google.re2j.Pattern;
import java.util.stream.Collectors;

/** Patterns of names and paths: {@code *} stands for any characters, {@code ?} for one. */
final class Globs {
    private Globs() {}

    static boolean fits(String glob, String text) {
        return fits(glob, text, ".*", ".");
    }

    /** In a path, {@code *} and {@code ?} stop at a slash; {@code **} does not. */
    static boolean fitsPath(String glob, String path) {
        return fits(glob, path, "[^/]*", "[^/]");
    }

    private static boolean fits(String glob, String text, String any, String one) {
        String regex = glob.codePoints()
                .mapToObj(Character::toString)
                .map(letter -> letter.equals("*") ? any : letter.equals("?") ? one : Pattern.quote(letter))
                .collect(Collectors.joining())
                .replace(any + any, ".*");
        return Pattern.compile(regex, Pattern.DOTALL).matches(text);
    }
}
