package dev.loopkeeper.run;

import java.util.regex.Pattern;

/** Validates run ids, which name folders, appear in URLs and are typed by people. */
public final class RunId {
    /** The rule for people. */
    public static final String RULE =
            "letters, digits, '.', '_' and '-', at most 128, the first of them a letter or a digit";

    private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    private RunId() {}

    public static boolean isValid(String id) {
        return PATTERN.matcher(id).matches();
    }
}
