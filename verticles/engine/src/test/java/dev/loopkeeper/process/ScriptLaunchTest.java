package dev.loopkeeper.process;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The same where the native launcher is not used. */
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
