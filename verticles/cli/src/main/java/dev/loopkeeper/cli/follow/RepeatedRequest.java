package dev.loopkeeper.cli.follow;

import dev.loopkeeper.cli.session.Deadline;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.StoreUnavailable;
import java.time.Duration;
import java.util.function.Supplier;

/** Retries requests while the server's store is unavailable. */
public final class RepeatedRequest {
    /** The least time between the starts of two attempts. */
    static final Duration INTERVAL = Duration.ofSeconds(1);
    /** A store that is unavailable for longer may not recover automatically. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private RepeatedRequest() {}

    /**
     * Returns the answer of this request, which may be sent more than once: until the deadline, and for one minute at
     * most.
     *
     * @param run the run as typed or its id, named when the deadline passes
     */
    public static <T> T retry(Deadline deadline, String run, Supplier<T> request) {
        long sinceNanos = System.nanoTime();
        while (true) {
            long begunNanos = System.nanoTime();
            try {
                return request.get();
            } catch (StoreUnavailable unavailable) {
                deadline.check(run);
                if (System.nanoTime() - sinceNanos >= PATIENCE.toNanos()) {
                    throw unavailable;
                }
                rest(begunNanos, deadline, unavailable);
            }
        }
    }

    /** Waits until {@link #INTERVAL} after the start of an attempt. */
    static void rest(long begunNanos, Deadline deadline, RuntimeException otherwise) {
        Duration left = INTERVAL.minusNanos(System.nanoTime() - begunNanos);
        Session.sleep(deadline.atMost(left), otherwise);
    }
}
