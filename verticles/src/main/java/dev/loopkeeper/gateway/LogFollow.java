package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.scheduler.ListOpenSteps;
import dev.loopkeeper.scheduler.RunChannels;
import dev.loopkeeper.store.PositionedEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.Set;

/**
 * Sends a log while it grows, until the step has ended and its last byte is sent, or the client has gone. A log says
 * nothing when it grows, so it is looked at every quarter of a second.
 */
final class LogFollow {
    private static final long LOOK_EVERY_MILLIS = 250;
    private static final int ASK_EVERY_LOOKS = 20;
    private static final Set<String> TELLING = Set.of("step.finished", "run.paused", "run.ended");

    private final Vertx vertx;
    private final RunDesk desk;
    private final LiveEvents events;
    private final LogTransfer transfer;
    private final String runId;
    private final String stepId;
    private final Promise<Void> done = Promise.promise();
    private boolean ended;
    private boolean sending;
    private int looks;

    LogFollow(Vertx vertx, RunDesk desk, LiveEvents events, LogTransfer transfer, String runId, String stepId) {
        this.vertx = vertx;
        this.desk = desk;
        this.events = events;
        this.transfer = transfer;
        this.runId = runId;
        this.stepId = stepId;
    }

    static boolean running(JsonNode step) {
        return step.path("endedAt").isMissingNode() || step.path("endedAt").isNull();
    }

    Future<Void> run() {
        transfer.begin();
        transfer.sendHead();
        Runnable deaf = events.listen(runId, this::told);
        long timer = vertx.setPeriodic(LOOK_EVERY_MILLIS, tick -> look());
        transfer.closed().onSuccess(gone -> done.tryComplete());
        send();
        ask();
        return done.future()
                .onComplete(over -> {
                    deaf.run();
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
        send();
    }

    /** A scheduler that does not answer ends the stream; the client comes back with its offset. */
    private void ask() {
        desk.elsewhere(RunChannels.OPEN_STEPS, new ListOpenSteps(Optional.of(runId)))
                .onComplete(open -> mark(!open.mayHold(runId, stepId)), unanswered -> mark(true));
    }

    private void mark(boolean over) {
        if (over && !ended) {
            ended = true;
            send();
        }
    }

    private void send() {
        if (sending || done.future().isComplete()) {
            return;
        }
        sending = true;
        boolean last = ended;
        transfer.toTheEnd().onComplete(sent -> sent(last), done::tryFail);
    }

    private void sent(boolean last) {
        sending = false;
        if (last || transfer.finished()) {
            done.tryComplete();
        } else if (ended) {
            // What was written between the last read and the end.
            send();
        }
    }
}
