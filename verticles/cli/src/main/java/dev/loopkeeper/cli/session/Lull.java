package dev.loopkeeper.cli.session;

import java.time.Duration;

/** Notices when a program has little to do after it had much: then is the time for what would else be in the way. */
final class Lull {
    /** One part in so many of one processor's time is little: a server with 200 idle agents takes a fiftieth. */
    private static final int LITTLE = 20;

    private final Duration little;
    private Duration before = Duration.ZERO;
    private boolean first = true;
    private boolean busy;

    /** @param between the time from one look to the next */
    Lull(Duration between) {
        little = between.dividedBy(LITTLE);
    }

    /**
     * Whether it begins now; so does the first look, behind a start.
     *
     * @param processorTime all that the program has taken so far
     */
    boolean begins(Duration processorTime) {
        boolean much = processorTime.minus(before).compareTo(little) >= 0;
        before = processorTime;
        boolean begins = first || (busy && !much);
        busy = much && !first;
        first = false;
        return begins;
    }
}
