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
 * Sends a log while it grows, until the step has ended and its last byte is sent, or the client has gone. A log says
 * nothing when it grows, so it is looked at: soon again when the last look found something, else every quarter of a
 * second.
 */
final class LogFollow {
    private static final long LOOK_EVERY_MILLIS = 50;
    private static final int QUIET_LOOK_EVERY = 5;
    private static final int ASK_EVERY_LOOKS = 100;
    private static final Set<String> TELLING = Set.of("step.finished", "run.paused", "run.ended");

    private final Vertx vertx;
    private final Supplier<Future<Boolean>> open;
    private final LiveEvents events;
    private final LogStream transfer;
    private final String runId;
    private final Promise<Void> done = Promise.promise();
    private final SingleFlight<Void> sends;
    private boolean ended;
    private boolean grows;
    private int looks;

    /** @param open whether more may be written; fails where that cannot be found out */
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
        Runnable unregister = events.listen(runId, this::told);
        long timer = vertx.setPeriodic(LOOK_EVERY_MILLIS, tick -> look());
        transfer.closed().onSuccess(gone -> done.tryComplete());
        sends.run();
        ask();
        return done.future()
                .onComplete(over -> {
                    unregister.run();
                    vertx.cancelTimer(timer);
                })
                .compose(over -> transfer.end());
    }

    private void told(PositionedEvent event) {
        if (TELLING.contains(event.event().type())) {
            ask();
        }
    }

    private void look() {
        looks++;
        if (looks % ASK_EVERY_LOOKS == 0) {
            ask();
        }
        if (grows || looks % QUIET_LOOK_EVERY == 0) {
            sends.join();
        }
    }

    /** A scheduler that does not answer ends the stream; the client comes back with its offset. */
    private void ask() {
        open.get().onComplete(still -> mark(!still), unanswered -> mark(true));
    }

    private void mark(boolean over) {
        if (over && !ended) {
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
