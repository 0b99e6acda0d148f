package dev.loopkeeper.work;

import java.util.List;

/** The machine has no process, memory or open file to give at a moment: nobody's work failed, it could not begin. */
public final class Shortage {
    /** What the system says, in the language of programs. */
    private static final List<String> WORDS =
            List.of("Resource temporarily unavailable", "Cannot allocate memory", "Too many open files");

    /** Ends a message about one. */
    public static final String REMEDY =
            "; let this user have more processes (ulimit -u, TasksMax), memory or open files (ulimit -n)";

    private Shortage() {}

    /** Whether that is why a program was not started. */
    public static boolean is(String message) {
        return WORDS.stream().anyMatch(message::contains);
    }
}
