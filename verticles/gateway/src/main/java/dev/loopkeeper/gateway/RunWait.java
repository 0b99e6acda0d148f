package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.gateway.feed.LiveEvents;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Waits until a run meets a condition. It checks the run in the store after each of its events, which are published
 * once durable, so no state is missed.
 */
final class RunWait {
    /** @param met whether the run meets the condition */
    record Outcome(boolean met, JsonNode run) {}

    private static final Duration RETRY_AFTER = Duration.ofMillis(500);

    private final Vertx vertx;
    private final EventStore store;
    private final LiveEvents events;
    private final Set<Observer> observers = new HashSet<>();

    RunWait(Vertx vertx, EventStore store, LiveEvents events) {
        this.vertx = vertx;
        this.store = store;
        this.events = events;
    }

    /**
     * Executes an action and waits for its effect.
     *
     * @param limit of the wait, from the action's answer on
     * @param left completes when the client disconnects; the wait then ends, but the action takes effect
     * @return the run that meets the condition, or the run when the time is over
     */
    Future<Outcome> after(
            Supplier<Future<JsonNode>> action,
            String runId,
            Predicate<Run> condition,
            Duration limit,
            Future<Void> left) {
        Observer observer = new Observer(runId, condition);
        observers.add(observer);
        Runnable unregister = events.listen(runId, event -> observer.recheck());
        left.onSuccess(gone -> observer.end(new ClientGone()));
        return action.get()
                .compose(accepted -> observer.within(limit, accepted))
                .onComplete(ended -> {
                    unregister.run();
                    observers.remove(observer);
                });
    }

    /** Answers all requests that wait, because the server is stopping. */
    void close() {
        Problem stopping = new Problem(
                RefusalCode.DRAINING,
                "the server is stopping, so the wait ends early; a command that was sent with it is recorded");
        List.copyOf(observers).forEach(observer -> observer.end(stopping));
    }

    private final class Observer {
        private final String runId;
        private final Predicate<Run> condition;
        private final Promise<Outcome> met = Promise.promise();
        private final SingleFlight<Void> checks = new SingleFlight<>(this::check);
        private boolean waiting;

        Observer(String runId, Predicate<Run> condition) {
            this.runId = runId;
            this.condition = condition;
        }

        Future<Outcome> within(Duration limit, JsonNode accepted) {
            waiting = true;
            recheck();
            long timer = vertx.setTimer(limit.toMillis(), timeout -> timeOver(accepted));
            return met.future().onComplete(ended -> vertx.cancelTimer(timer));
        }

        void end(RuntimeException why) {
            met.tryFail(why);
        }

        void recheck() {
            if (waiting && !met.future().isComplete()) {
                checks.run();
            }
        }

        private Future<Void> check() {
            return met.future().isComplete()
                    ? Future.succeededFuture()
                    : store.find(runId)
                            .onSuccess(this::seen)
                            .onFailure(this::failed)
                            .mapEmpty();
        }

        /** Checks again while the store is unavailable, since no event reports its return. */
        private void failed(Throwable cause) {
            if (cause instanceof StoreUnavailableException) {
                vertx.setTimer(RETRY_AFTER.toMillis(), due -> recheck());
            } else {
                met.tryFail(cause);
            }
        }

        private void seen(Optional<RunRow> row) {
            row.filter(found -> found.run().filter(condition).isPresent())
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
