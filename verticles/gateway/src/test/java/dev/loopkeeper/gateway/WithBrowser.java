package dev.loopkeeper.gateway;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests of a class that share one real browser. */
abstract class WithBrowser {
    /** Null when it could not be started. */
    static Browser browser;

    @BeforeAll
    static void openBrowser() throws IOException {
        browser = Browser.open();
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }
}
