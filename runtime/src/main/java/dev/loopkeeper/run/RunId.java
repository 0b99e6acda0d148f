package dev.loopkeeper.run;

import java.util.regex.Pattern;

/** What a run may be called: its id names a folder, stands in addresses and is typed by people. */
public final class RunId {
    /** The rule in words. */
    public static final String RULE =
            "letters, digits, '.', '_' and '-', at most 128, the first of them a letter or a digit";

    private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    private RunId() {}

    /** Whether a run may be called so. */
    public static boolean isValid(String id) {
        return PATTERN.matcher(id).matches();
    }
}
