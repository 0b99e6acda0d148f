package dev.loopkeeper.work;

import java.util.Map;
import java.util.Optional;

/**
 * The locale that the start script sets for this JVM only; Java encodes file names by it. Programs that are started get
 * back what was set before.
 */
public final class OwnLocale {
    private static final String VARIABLE = "LC_ALL";
    /** The value before the start script; empty if it was not set, absent if the script changed nothing. */
    private static final String BEFORE = "loopkeeper.lcAll";

    private OwnLocale() {}

    /** Takes it out of an environment that was copied from this JVM's. */
    public static void giveBack(Map<String, String> environment) {
        giveBack(environment, Optional.ofNullable(System.getProperty(BEFORE)));
    }

    static void giveBack(Map<String, String> environment, Optional<String> before) {
        before.ifPresent(value -> {
            if (value.isEmpty()) {
                environment.remove(VARIABLE);
            } else {
                environment.put(VARIABLE, value);
            }
        });
    }
}
