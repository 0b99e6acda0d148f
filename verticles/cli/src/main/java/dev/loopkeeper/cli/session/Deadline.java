package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import java.time.Duration;
import java.util.Optional;

/** When a command gives up waiting. */
public final class Deadline {
    private final Optional<Duration> limit;
    private final long begunNanos = System.nanoTime();

    private Deadline(Optional<Duration> limit) {
        this.limit = limit;
    }

    public static Deadline after(Optional<Duration> limit) {
        return new Deadline(limit);
    }

    public static Deadline never() {
        return new Deadline(Optional.empty());
    }

    private Optional<Duration> left() {
        return limit.map(whole -> whole.minusNanos(System.nanoTime() - begunNanos));
    }

    /** This long, or what is left. */
    Duration atMost(Duration patience) {
        return left().filter(left -> left.compareTo(patience) < 0)
                .map(left -> left.isNegative() ? Duration.ZERO : left)
                .orElse(patience);
    }

    /** Ends the command when the time is over. */
    void check(String runId) {
        if (left().filter(left -> left.isZero() || left.isNegative()).isPresent()) {
            throw new CommandFailure(
                    ExitCodes.TIMED_OUT,
                    "the wait for " + runId + " is over after "
                            + Words.duration(limit.orElseThrow().toMillis()) + "; it goes on");
        }
    }
}
