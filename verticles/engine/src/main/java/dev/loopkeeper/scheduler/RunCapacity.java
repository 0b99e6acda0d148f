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

/**
 * Decides whether a run may become active: it requires a free slot and exclusive signal files. Used from one context
 * only.
 */
final class RunCapacity {
    private static final Logger LOG = LoggerFactory.getLogger(RunCapacity.class);

    private final Vertx vertx;
    private final RunSlotQueue slots;
    private final SignalClaims signals;
    private boolean filling;

    RunCapacity(Vertx vertx, RunSlotQueue slots, SignalClaims signals) {
        this.vertx = vertx;
        this.slots = slots;
        this.signals = signals;
    }

    /** Whether no more work is accepted. */
    boolean isClosed() {
        return slots.closed();
    }

    /**
     * See {@link RunActor.Host#capacity}. No run gets signal files before recovery has determined the owners of all.
     */
    Future<Capacity> of(RunState run, RunInput input) {
        return signals.look(run, input)
                .map(looked -> {
                    Optional<SignalInUse> conflict = signals.conflict(run.runId());
                    boolean unknown = !slots.isOpen() && signals.has(run.runId());
                    return new Capacity(slots.isFree() && !unknown, conflict);
                })
                .otherwise(unanswered -> {
                    LOG.warn(
                            "run {} waits: its signal files cannot be checked: {}", run.runId(), unanswered.toString());
                    fillLater();
                    return Capacity.NONE;
                });
    }

    /** See {@link SignalClaims#reserve}. Without a free slot the run is queued, and reserves nothing yet. */
    Future<Optional<SignalInUse>> reserve(RunState fresh) {
        return slots.isFree() ? signals.reserve(fresh) : Future.succeededFuture(Optional.empty());
    }

    /** Whether a run may start at its creation: a slot is free and its signal files are reserved. */
    Capacity toBegin(String runId) {
        return slots.isFree() && slots.isOpen() && signals.isReserved(runId) ? Capacity.FREE : Capacity.NONE;
    }

    /** Holds a slot for a run that starts at its creation, until {@link #settle}. */
    void hold(RunState starting) {
        slots.hold(starting);
    }

    /** Ends the reservation of a run, whether it was created or not. */
    void settle(String runId) {
        signals.settle(runId);
        slots.release(runId);
        fillSoon();
    }

    /** Fills free slots once, after the current event-loop task. */
    void fillSoon() {
        if (!filling) {
            filling = true;
            vertx.runOnContext(later -> {
                filling = false;
                slots.fill();
            });
        }
    }

    /** Fills free slots after a pause. */
    void fillLater() {
        vertx.setTimer(StoreRetry.RETRY_DELAY.toMillis(), fired -> slots.fill());
    }
}
