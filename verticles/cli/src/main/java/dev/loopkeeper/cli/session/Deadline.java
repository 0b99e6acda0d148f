package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import java.time.Duration;
import java.util.Optional;

/** The time when a command stops waiting. */
public final class Deadline {
    /** Accepts an answer that arrives this long after the deadline. */
    private static final Duration SLACK = Duration.ofMillis(100);

    /** The least time that a server gets for an answer, even with a shorter deadline. */
    private static final Duration A_MOMENT = Duration.ofMillis(500);

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
        return limit.map(total -> total.minusNanos(System.nanoTime() - begunNanos));
    }

    /** Returns {@code patience}, or the remaining time if that is shorter. */
    public Duration atMost(Duration patience) {
        return left().filter(left -> left.compareTo(patience) < 0)
                .map(left -> left.isNegative() ? Duration.ZERO : left)
                .orElse(patience);
    }

    /**
     * Returns how long an answer may take: {@code patience}, or slightly more than the remaining time if that is
     * shorter.
     */
    Duration forAnswer(Duration patience) {
        Duration most = atMost(patience).plus(SLACK);
        Duration least = A_MOMENT.minusNanos(System.nanoTime() - begunNanos);
        Duration enough = most.compareTo(least) < 0 ? least : most;
        return enough.compareTo(patience) < 0 ? enough : patience;
    }

    /** Ends the command if the deadline has passed. */
    public void check(String runId) {
        check(runId, "; the run is not affected");
    }

    /** Ends the command if the deadline has passed; the message names the failure that hides the state of the run. */
    public void check(String run, CommandFailure unknown) {
        check(run, ": " + unknown.getMessage());
    }

    private void check(String run, String how) {
        if (left().filter(left -> left.isZero() || left.isNegative()).isPresent()) {
            throw new CommandFailure(
                    ExitCodes.TIMED_OUT,
                    "gave up waiting for " + run + " after "
                            + Words.duration(limit.orElseThrow().toMillis()) + how);
        }
    }
}
