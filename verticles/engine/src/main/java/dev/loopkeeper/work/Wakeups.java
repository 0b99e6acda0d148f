package dev.loopkeeper.work;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Lets a thread sleep until another one wakes it, or until its time limit. Thread-safe. */
public final class Wakeups {
    private final Semaphore happened = new Semaphore(0);

    /** Wakes a thread that sleeps or is about to. */
    public void wake() {
        happened.release();
    }

    /** Returns once something has happened since the last call, however often, or when the time is over. Blocks. */
    public void await(Duration atMost) throws InterruptedException {
        if (happened.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            happened.drainPermits();
        }
    }
}
