package dev.loopkeeper;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What is waited for comes late on a machine in use; the end of a wait is only for what never comes. Nor does it end with an
 * exception on any thread at all that no test awaited: a runtime that a test ends as by KILL leaves workers, who find no event
 * loop to tell.
 */
public final class PatientTests implements BeforeAllCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }
}
