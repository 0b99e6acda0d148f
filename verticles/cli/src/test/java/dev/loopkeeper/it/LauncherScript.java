package dev.loopkeeper.it;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The start script that programs are started by, on the Java of the tests; {@code -Dloopkeeper.bench.launcher=FILE} names
 * that of another checkout, {@code -Dloopkeeper.bench.java=HOME} another Java.
 */
public final class LauncherScript {
    private LauncherScript() {}

    public static String path() throws IOException {
        return Path.of(System.getProperty("loopkeeper.bench.launcher", "../../loopkeeper"))
                .toRealPath()
                .toString();
    }

    /** The home of the Java that it takes. */
    public static Path java() {
        return Path.of(System.getProperty("loopkeeper.bench.java", System.getProperty("java.home")));
    }

    /** Has the script take that Java. */
    public static void chooseJava(ProcessBuilder launcher) {
        launcher.environment().put("JAVA_HOME", java().toString());
    }
}
