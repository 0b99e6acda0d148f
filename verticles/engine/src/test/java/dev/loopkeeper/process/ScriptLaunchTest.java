package dev.loopkeeper.process;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Isolated;

/** The same where the native launcher is not used. */
@Isolated("reads the log of the process, or changes what it has once")
class ScriptLaunchTest extends LaunchTest {
    @BeforeAll
    static void chooseTheScript() {
        System.setProperty("loopkeeper.launcher", "script");
    }

    @AfterAll
    static void chooseFreely() {
        System.clearProperty("loopkeeper.launcher");
    }
}
