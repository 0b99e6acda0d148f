package dev.loopkeeper.notify;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deliveries of one run to one receiver, one after the other and in order. What fails is tried again before what
 * came later. Used from one context only.
 */
final class Lane {
    /** More than that and the oldest is given up: the receiver does not keep up. */
    static final int MOST_WAITING = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private final Vertx vertx;
    private final NotifierOptions options;
    private final Outbox outbox;
    private final Function<Delivery, Future<Outcome>> attempt;
    private final Deque<Delivery> waiting = new ArrayDeque<>();
    private Promise<Void> working = Promise.promise();
    private boolean busy;
    private boolean resting;
    private boolean ending;

    Lane(Vertx vertx, NotifierOptions options, Outbox outbox, Function<Delivery, Future<Outcome>> attempt) {
        this.vertx = vertx;
        this.options = options;
        this.outbox = outbox;
        this.attempt = attempt;
        working.complete();
    }

    void add(Delivery delivery) {
        waiting.add(delivery);
        if (waiting.size() > MOST_WAITING) {
            Delivery underWay = waiting.remove();
            giveUp(waiting.remove(), "too many wait for the same receiver");
            waiting.addFirst(underWay);
        }
        next();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Begins no further wait; completes when what can be delivered at once was tried. */
    Future<Void> end() {
        ending = true;
        return working.future();
    }

    private void next() {
        if (busy || resting || waiting.isEmpty()) {
            return;
        }
        busy = true;
        if (working.future().isComplete()) {
            working = Promise.promise();
        }
        Delivery head = waiting.element();
        attempt.apply(head)
                .otherwise(cause -> new Outcome.Failed(String.valueOf(cause.getMessage())))
                .onSuccess(outcome -> tried(head, outcome));
    }

    private void tried(Delivery head, Outcome outcome) {
        busy = false;
        if (outcome instanceof Outcome.Failed failed && head.tries() + 1 < options.tries()) {
            waiting.remove();
            waiting.addFirst(head.triedAgain());
            rest(head.triedAgain(), failed.reason());
        } else {
            waiting.remove();
            settle(head, outcome);
        }
        next();
        if (!busy) {
            working.tryComplete();
        }
    }

    private void rest(Delivery again, String reason) {
        outbox.failed(again);
        resting = true;
        long delay = options.delayAfter(again.tries()).toMillis();
        if (ending) {
            return; // The next runtime tries it.
        }
        LOG.info("notification {} failed, next try in {} ms: {}", again.id(), delay, reason);
        vertx.setTimer(delay, due -> {
            resting = false;
            next();
        });
    }

    private void settle(Delivery delivery, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            giveUp(delivery, failed.reason() + ", after " + (delivery.tries() + 1) + " tries");
        } else if (outcome instanceof Outcome.Hopeless hopeless) {
            giveUp(delivery, hopeless.reason());
        } else {
            outbox.settle(delivery);
        }
    }

    private void giveUp(Delivery delivery, String reason) {
        outbox.settle(delivery);
        LOG.warn("notification {} is given up: {}", delivery.id(), reason);
    }
}
