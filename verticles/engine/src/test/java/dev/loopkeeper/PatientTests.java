package dev.loopkeeper;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What is waited for comes late on a machine in use; the end of a wait is only for what never comes. Most of it is there at
 * once: the first checks follow quickly upon each other, the later ones as usual. Nor does a wait end with an exception on
 * any thread at all that no test awaited: a runtime that a test ends as by KILL leaves workers, who find no event
 * loop to tell.
 */
public final class PatientTests implements BeforeAllCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration FIRST_LOOK = Duration.ofMillis(10);
    private static final Duration LONGEST_INTERVAL = Duration.ofMillis(100);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
        Awaitility.setDefaultPollDelay(FIRST_LOOK);
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(PatientTests::longer, FIRST_LOOK));
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }

    private static Duration longer(Duration interval) {
        Duration twice = interval.multipliedBy(2);
        return twice.compareTo(LONGEST_INTERVAL) < 0 ? twice : LONGEST_INTERVAL;
    }
}
