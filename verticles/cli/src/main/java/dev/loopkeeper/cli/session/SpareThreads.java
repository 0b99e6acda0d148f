package dev.loopkeeper.cli.session;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;

/**
 * Whether this process gets the threads that its command takes: without one Vert.x never answers. They are tried,
 * since the limit may be that of the user, of a container or of the machine, and others use it too.
 */
final class SpareThreads {
    /** Begun by a server until it serves, and by a run of one agent, which is a process too, and some to spare. */
    static final int OF_RUNS = 40;
    /** Begun by a command that reads a manifest or a store, or asks and follows a server, and some to spare. */
    static final int OF_COMMAND = 8;

    private static final long STACK_BYTES = 64L << 10;

    private final ThreadFactory threads;

    SpareThreads(ThreadFactory threads) {
        this.threads = threads;
    }

    static SpareThreads ofThisProcess() {
        return new SpareThreads(task -> new Thread(null, task, "loopkeeper-spare", STACK_BYTES));
    }

    /** Ends the command where there are not so many. */
    void check(int needed) {
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> begun = new ArrayList<>();
        try {
            while (begun.size() < needed) {
                Thread thread = threads.newThread(() -> await(over));
                thread.setDaemon(true);
                thread.start();
                begun.add(thread);
            }
        } catch (OutOfMemoryError none) {
            throw NoThread.refusal(
                    "this command takes " + needed + ", its agents among them, and there are only " + begun.size());
        } finally {
            over.countDown();
            begun.forEach(SpareThreads::join);
        }
    }

    private static void await(CountDownLatch over) {
        try {
            over.await();
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }

    /** Else they might take the place of those that they were tried for. */
    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }
}
