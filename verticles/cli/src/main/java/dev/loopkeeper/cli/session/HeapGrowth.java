package dev.loopkeeper.cli.session;

import java.util.function.LongSupplier;

/**
 * Has the heap collected whole when it has grown by much since the last time. Newer Java's serial collector, which is
 * the smallest, otherwise lets the heap grow to its limit first: a server of which little lives takes some hundred MiB
 * after a run of ten thousand iterations. Java 17 does this by itself.
 */
final class HeapGrowth {
    /** A collection stops the program for some 50 ms, which a server that works much should seldom pay. */
    static final long MOST_BYTES = 32L << 20;
    /** Nobody waits for it then. */
    static final long MOST_BYTES_IN_LULL = 4L << 20;

    private final LongSupplier size;
    private final Runnable collection;
    private long least;

    HeapGrowth(LongSupplier size, Runnable collection) {
        this.size = size;
        this.collection = collection;
        this.least = size.getAsLong();
    }

    /** Whether it was collected. */
    boolean look() {
        return look(MOST_BYTES);
    }

    /** The same where there is little to do. */
    boolean lookInLull() {
        return look(MOST_BYTES_IN_LULL);
    }

    private boolean look(long most) {
        long now = size.getAsLong();
        boolean grown = now > least + most;
        if (grown) {
            collection.run();
            least = size.getAsLong();
        } else {
            least = Math.min(least, now);
        }
        return grown;
    }
}
