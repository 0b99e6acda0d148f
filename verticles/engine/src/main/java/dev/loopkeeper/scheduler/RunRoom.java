package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.Capacity;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.SignalInUse;
import dev.loopkeeper.run.RunState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a run may be under way: it needs a place, and its signal files for itself. Used from one context only. */
final class RunRoom {
    private static final Logger LOG = LoggerFactory.getLogger(RunRoom.class);

    private final Vertx vertx;
    private final RunSlotQueue places;
    private final SignalClaims signals;
    private boolean filling;

    RunRoom(Vertx vertx, RunSlotQueue places, SignalClaims signals) {
        this.vertx = vertx;
        this.places = places;
        this.signals = signals;
    }

    /** Whether no more work is taken. */
    boolean isClosed() {
        return places.closed();
    }

    /** See {@link RunActor.Host#room}. Before it is known who has which signal file nobody else gets one. */
    Future<Capacity> of(RunState run, RunInput input) {
        return signals.look(run, input)
                .map(looked -> {
                    Optional<SignalInUse> conflict = signals.conflict(run.runId());
                    boolean unknown = !places.isOpen() && signals.has(run.runId());
                    return new Capacity(places.isFree() && !unknown, conflict);
                })
                .otherwise(unanswered -> {
                    LOG.warn(
                            "run {} waits: its signal files cannot be looked at: {}",
                            run.runId(),
                            unanswered.toString());
                    fillLater();
                    return Capacity.NONE;
                });
    }

    /** See {@link SignalClaims#reserve}. Where there is no place the run waits for one, and nobody is in its way yet. */
    Future<Optional<SignalInUse>> reserve(RunState fresh) {
        return places.isFree() ? signals.reserve(fresh) : Future.succeededFuture(Optional.empty());
    }

    /** Whether a run may start with its creation: there is a place, and its signal files are reserved for it. */
    Capacity toBegin(String runId) {
        return places.isFree() && places.isOpen() && signals.isReserved(runId) ? Capacity.FREE : Capacity.NONE;
    }

    /** This starts with its creation: until {@link #settle} it has its place. */
    void hold(RunState starting) {
        places.hold(starting);
    }

    /** The run was created, or it was not. */
    void settle(String runId) {
        signals.settle(runId);
        places.release(runId);
        fillSoon();
    }

    /** Once for all that happens in this turn of the event loop. */
    void fillSoon() {
        if (!filling) {
            filling = true;
            vertx.runOnContext(later -> {
                filling = false;
                places.fill();
            });
        }
    }

    /** What did not come to a place this time. */
    void fillLater() {
        vertx.setTimer(StoreRetry.AGAIN_AFTER.toMillis(), fired -> places.fill());
    }
}
