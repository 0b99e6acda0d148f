package dev.loopkeeper.cli.session;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Has the heap collected whole when it has grown by much since the last time. Newer Java's serial collector, which is
 * the smallest, otherwise lets the heap grow to its limit first: a server of which little lives takes some hundred MiB
 * after a run of ten thousand iterations. Java 17 does this by itself.
 */
final class HeapGrowth {
    /** A collection stops the program for some 50 ms, which a server that works much should seldom pay. */
    static final long MOST_BYTES = 32L << 20;

    private static final Duration EVERY = Duration.ofSeconds(5);

    private final LongSupplier size;
    private final Runnable collection;
    private long least;

    HeapGrowth(LongSupplier size, Runnable collection) {
        this.size = size;
        this.collection = collection;
        this.least = size.getAsLong();
    }

    /** Looks as long as this Vert.x lives. */
    static void watch(Vertx vertx) {
        HeapGrowth growth = new HeapGrowth(Runtime.getRuntime()::totalMemory, System::gc);
        vertx.setPeriodic(EVERY.toMillis(), due -> growth.look());
    }

    void look() {
        long now = size.getAsLong();
        if (now > least + MOST_BYTES) {
            collection.run();
            least = size.getAsLong();
        } else {
            least = Math.min(least, now);
        }
    }
}
