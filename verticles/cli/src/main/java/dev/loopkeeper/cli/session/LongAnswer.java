package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for a slow answer as long as its server shows signs of life. A halted server may still accept connections and
 * never answer. Blocks; not for event loops.
 */
final class LongAnswer {
    /** Requests a sign of life of the server. */
    interface Sign {
        void request(Duration patience) throws Exception;
    }

    private final Sign sign;
    private final Duration before;
    private final Duration silence;

    /**
     * Creates the wait for one server.
     *
     * @param usual how long a server may be silent; its sign of life is checked after a third of that
     */
    LongAnswer(Sign sign, Duration usual) {
        this.sign = sign;
        this.before = usual.dividedBy(3);
        this.silence = usual;
    }

    /**
     * Returns the answer.
     *
     * @param patience how long it may take
     * @throws TimeoutException if there is no answer in time, or no sign of life
     * @throws Exception the failure of the request
     */
    <T> T await(Future<T> answer, Duration patience) throws Exception {
        long until = System.nanoTime() + patience.toNanos();
        while (true) {
            long left = until - System.nanoTime();
            try {
                return answer.get(Math.max(1, Math.min(left, before.toNanos())), TimeUnit.NANOSECONDS);
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof Exception known ? known : failed;
            } catch (TimeoutException none) {
                check(answer, patience, left - before.toNanos() <= 0);
            }
        }
    }

    private void check(Future<?> answer, Duration patience, boolean late) throws TimeoutException {
        if (answer.isDone()) {
            return;
        }
        if (late) {
            throw new TimeoutException("no answer within " + Words.duration(patience.toMillis()));
        }
        if (!lives() && !answer.isDone()) {
            throw new TimeoutException("no answer, and no sign of life within " + Words.duration(silence.toMillis()));
        }
    }

    /**
     * Returns whether the server answers anything. Returns true if the connection fails, as the request itself then
     * fails as well.
     */
    private boolean lives() {
        try {
            sign.request(silence.minus(before));
            return true;
        } catch (CommandFailure | SocketTimeoutException | NoRouteToHostException silent) {
            // A server whose machine is gone accepts no connection either.
            return false;
        } catch (Exception unanswered) {
            return true;
        }
    }
}
