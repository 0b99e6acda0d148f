package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import java.time.Duration;
import java.util.Optional;

/** When a command gives up waiting. */
public final class Deadline {
    /** An answer that comes as the time is over still counts. */
    private static final Duration SLACK = Duration.ofMillis(100);

    /** However little time there is, a server that answers is heard. */
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
        return limit.map(whole -> whole.minusNanos(System.nanoTime() - begunNanos));
    }

    /** This long, or what is left. */
    public Duration atMost(Duration patience) {
        return left().filter(left -> left.compareTo(patience) < 0)
                .map(left -> left.isNegative() ? Duration.ZERO : left)
                .orElse(patience);
    }

    /** How long an answer may take: this long, or little longer than what is left. */
    Duration forAnswer(Duration patience) {
        Duration most = atMost(patience).plus(SLACK);
        Duration least = A_MOMENT.minusNanos(System.nanoTime() - begunNanos);
        Duration enough = most.compareTo(least) < 0 ? least : most;
        return enough.compareTo(patience) < 0 ? enough : patience;
    }

    /** Ends the command when the time is over. */
    void check(String runId) {
        check(runId, "; it continues");
    }

    /** The same where nobody has told how the run is. */
    public void check(String run, CommandFailure untold) {
        check(run, ": " + untold.getMessage());
    }

    private void check(String run, String how) {
        if (left().filter(left -> left.isZero() || left.isNegative()).isPresent()) {
            throw new CommandFailure(
                    ExitCodes.TIMED_OUT,
                    "the wait for " + run + " is over after "
                            + Words.duration(limit.orElseThrow().toMillis()) + how);
        }
    }
}
