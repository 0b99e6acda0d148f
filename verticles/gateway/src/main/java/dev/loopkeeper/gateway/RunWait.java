package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.gateway.feed.LiveEvents;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Waits until a run is as wished. It looks at the run as the store has it, after each of the run's events: an event
 * is told when it is durable, so nothing can come to pass between two looks without a third.
 */
final class RunWait {
    /** @param met whether the run is as wished */
    record Outcome(boolean met, JsonNode run) {}

    private final Vertx vertx;
    private final EventStore store;
    private final LiveEvents events;

    RunWait(Vertx vertx, EventStore store, LiveEvents events) {
        this.vertx = vertx;
        this.store = store;
        this.events = events;
    }

    /**
     * Does something and waits for what it leads to.
     *
     * @param limit of the wait, from when the action was answered
     * @param left completes when the client has gone: then nobody waits any more, though the action is carried out
     * @return the run that is as wished, or the run as it is when the time is over
     */
    Future<Outcome> after(
            Supplier<Future<JsonNode>> action, String runId, Predicate<Run> wished, Duration limit, Future<Void> left) {
        Look look = new Look(runId, wished);
        Runnable unregister = events.listen(runId, event -> look.again());
        left.onSuccess(gone -> look.drop());
        return action.get().compose(accepted -> look.within(limit, accepted)).onComplete(ended -> unregister.run());
    }

    private final class Look {
        private final String runId;
        private final Predicate<Run> wished;
        private final Promise<Outcome> met = Promise.promise();
        private final SingleFlight<Void> looks = new SingleFlight<>(this::look);
        private boolean waiting;

        Look(String runId, Predicate<Run> wished) {
            this.runId = runId;
            this.wished = wished;
        }

        Future<Outcome> within(Duration limit, JsonNode accepted) {
            waiting = true;
            again();
            long timer = vertx.setTimer(limit.toMillis(), late -> timeOver(accepted));
            return met.future().onComplete(ended -> vertx.cancelTimer(timer));
        }

        void drop() {
            met.tryFail(new ClientGone());
        }

        void again() {
            if (waiting && !met.future().isComplete()) {
                looks.run();
            }
        }

        private Future<Void> look() {
            return met.future().isComplete()
                    ? Future.succeededFuture()
                    : store.find(runId)
                            .onSuccess(this::seen)
                            .onFailure(met::tryFail)
                            .mapEmpty();
        }

        private void seen(Optional<RunRow> row) {
            row.filter(found -> found.run().filter(wished).isPresent())
                    .map(found -> new Outcome(true, found.shown(Instants.now())))
                    .ifPresent(met::tryComplete);
        }

        private void timeOver(JsonNode accepted) {
            store.find(runId)
                    .map(row -> new Outcome(
                            false, row.map(found -> found.shown(Instants.now())).orElse(accepted)))
                    .onComplete(met::tryComplete, met::tryFail);
        }
    }
}
