package dev.loopkeeper.work;

import java.util.Map;
import java.util.Optional;

/**
 * The soft limit of open files before Java raised it for this process; the start script reports it. Launchers give it
 * to agents: a program that closes or polls every descriptor it may have takes minutes with a limit of a million.
 */
public final class OwnOpenFiles {
    /** The variable that a launcher removes from the environment. */
    public static final String VARIABLE = "LOOPKEEPER_OPEN_FILES";

    /** The limit before Java was started; absent where another program starts it. */
    private static final String BEFORE = "loopkeeper.openFiles";

    private OwnOpenFiles() {}

    /** Has a launcher with this environment give the limit back. */
    public static void giveBack(Map<String, String> environment) {
        Optional.ofNullable(System.getProperty(BEFORE))
                .filter(limit -> limit.matches("[1-9][0-9]{0,9}"))
                .ifPresent(limit -> environment.put(VARIABLE, limit));
    }
}
