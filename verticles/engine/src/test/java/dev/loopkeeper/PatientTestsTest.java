package dev.loopkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("reads the log of the process, or changes what it has once")
class PatientTestsTest {
    @Test
    void aWaitContinuesAfterAFailureInAnotherThread() {
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        Thread stranger = new Thread(() -> {
            throw new RejectedExecutionException("event executor terminated");
        });
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.set(thrown));
        try {
            await().until(() -> {
                if (stranger.getState() == Thread.State.NEW) {
                    stranger.start();
                }
                return !stranger.isAlive();
            });
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }

        assertThat(uncaught.get()).isInstanceOf(RejectedExecutionException.class);
    }
}
