package dev.loopkeeper.gateway;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** Tests that share one real browser, which ends with this virtual machine. */
abstract class WithBrowser {
    /** Null when it could not be started. */
    static Browser browser;

    @BeforeAll
    static void openBrowser() throws IOException {
        if (browser == null) {
            browser = Browser.open();
            Runtime.getRuntime().addShutdownHook(new Thread(browser::close, "browser-end"));
        }
    }
}
