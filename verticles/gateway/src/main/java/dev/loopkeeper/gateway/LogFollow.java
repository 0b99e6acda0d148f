package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.feed.LiveEvents;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends a log while it grows, until the step has ended and its last byte is sent, or the client disconnects. It polls
 * the file: every 50 ms while it grows, otherwise every quarter of a second.
 */
final class LogFollow {
    private static final long POLL_MILLIS = 50;
    private static final int QUIET_POLL_EVERY = 5;
    private static final int ASK_EVERY_POLLS = 100;
    private static final Set<String> ENDING_EVENTS = Set.of("step.finished", "run.paused", "run.ended");

    private final Vertx vertx;
    private final Supplier<Future<Boolean>> open;
    private final LiveEvents events;
    private final LogStream transfer;
    private final String runId;
    private final Promise<Void> done = Promise.promise();
    private final SingleFlight<Void> sends;
    private boolean ended;
    private boolean grows;
    private int polls;

    /** @param open whether the log may still grow; fails if that is unknown */
    LogFollow(Vertx vertx, Supplier<Future<Boolean>> open, LiveEvents events, LogStream transfer, String runId) {
        this.vertx = vertx;
        this.open = open;
        this.events = events;
        this.transfer = transfer;
        this.runId = runId;
        this.sends = new SingleFlight<>(this::send);
    }

    Future<Void> run() {
        transfer.begin();
        transfer.sendHead();
        Runnable unregister = events.listen(runId, this::received);
        long timer = vertx.setPeriodic(POLL_MILLIS, tick -> poll());
        transfer.closed().onSuccess(gone -> done.tryComplete());
        sends.run();
        checkOpen();
        return done.future()
                .onComplete(stopped -> {
                    unregister.run();
                    vertx.cancelTimer(timer);
                })
                .compose(stopped -> transfer.end());
    }

    private void received(PositionedEvent event) {
        if (ENDING_EVENTS.contains(event.event().type())) {
            checkOpen();
        }
    }

    private void poll() {
        polls++;
        if (polls % ASK_EVERY_POLLS == 0) {
            checkOpen();
        }
        if (grows || polls % QUIET_POLL_EVERY == 0) {
            sends.join();
        }
    }

    /** A scheduler that does not answer ends the stream; the client reconnects with its offset. */
    private void checkOpen() {
        open.get().onComplete(still -> mark(!still), unanswered -> mark(true));
    }

    private void mark(boolean closed) {
        if (closed && !ended) {
            ended = true;
            sends.run(); // what was written since the last read
        }
    }

    private Future<Void> send() {
        if (done.future().isComplete()) {
            return Future.succeededFuture();
        }
        boolean last = ended;
        long before = transfer.offset();
        return transfer.toTheEnd()
                .onSuccess(sent -> {
                    grows = transfer.offset() != before;
                    sent(last);
                })
                .onFailure(done::tryFail);
    }

    private void sent(boolean last) {
        if (last || transfer.finished()) {
            done.tryComplete();
        }
    }
}
