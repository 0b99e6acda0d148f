package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.scheduler.RunInbox.Waiting;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.WallTimer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Processes the inputs of one run in order: decides, makes the events durable, then has the decision executed. Used
 * from one context only.
 */
class RunActor {
    /** The current work of the actor. */
    private sealed interface Phase {
        record Idle() implements Phase {}

        /** An input is being decided, or its decision executed. */
        record Deciding() implements Phase {}

        /** @param upcoming state after the decision that is being stored */
        record Storing(RunState upcoming) implements Phase {}

        /** The store failed, and is retried. */
        record Stuck(Throwable cause) implements Phase {}

        /** Another node, or another actor here, owns the run by now. */
        record Dropped() implements Phase {}
    }

    private final Scheduler scheduler;
    private final RunInbox inbox = new RunInbox();
    private RunState state;
    private Phase phase = new Phase.Idle();
    private int users;
    /** Wakes the run, which checks the clock again: an early or late timer is harmless. */
    private Optional<WallTimer> timer = Optional.empty();

    RunActor(RunState state, Scheduler scheduler) {
        this.state = state;
        this.scheduler = scheduler;
    }

    /** Returns the durable state. */
    RunState state() {
        return state;
    }

    /**
     * Returns the state that determines slot use: a slot is held from the moment it is about to be taken until its
     * release is durable.
     */
    RunState claim() {
        return !RunSlots.holds(state.condition()) && phase instanceof Phase.Storing storing
                ? storing.upcoming()
                : state;
    }

    String runId() {
        return state.runId();
    }

    /** Runs this work; the actor is not released before it completes. */
    <T> Future<T> during(Function<RunActor, Future<T>> work) {
        users++;
        return Future.<RunActor>succeededFuture(this).compose(work).onComplete(over -> users--);
    }

    /** Whether the actor ignores all further inputs. */
    boolean isDropped() {
        return phase instanceof Phase.Dropped;
    }

    /** Ignores everything from now on: another node or another actor may own the run. */
    void drop(RuntimeException why) {
        phase = new Phase.Dropped();
        cancelTimer();
        inbox.takeAll().forEach(one -> one.fail(why));
    }

    /** Replaces the wake-up timer. */
    void wakeAt(Instant due) {
        cancelTimer();
        timer = Optional.of(WallTimer.at(scheduler.vertx, due, () -> deliver(new RunInput.TimerDue(Instants.now()))));
    }

    void cancelTimer() {
        timer.ifPresent(WallTimer::cancel);
    }

    boolean inUse() {
        return users > 0 || isDeciding() || phase instanceof Phase.Stuck;
    }

    /** Whether an input is waiting or being decided. */
    boolean isDeciding() {
        return phase instanceof Phase.Deciding || phase instanceof Phase.Storing || !inbox.isEmpty();
    }

    /**
     * Submits a request. Completes once the decision is durable; fails when the store fails, and then nothing has
     * changed.
     */
    Future<Decision> ask(RunInput input) {
        return offer(new Waiting(input, Promise.promise(), false));
    }

    /**
     * Submits a fact, which is kept until it is durable, however long the store takes. It is merged into a waiting
     * input where possible, so that the inbox stays small while the store is unavailable.
     */
    void deliver(RunInput input) {
        if (!inbox.join(input)) {
            // Fails only for an input that cannot be decided, which was logged.
            report(input).onFailure(logged -> {});
        }
    }

    /** Submits a fact without merging it; completes once it is decided and its effects have begun. */
    Future<Decision> report(RunInput input) {
        return offer(new Waiting(input, Promise.promise(), true));
    }

    private Future<Decision> offer(Waiting waiting) {
        if (phase instanceof Phase.Dropped) {
            return Future.failedFuture(lost());
        }
        if (phase instanceof Phase.Stuck stuck && !waiting.internal()) {
            return Future.failedFuture(stuck.cause());
        }
        inbox.add(waiting);
        processNext();
        return waiting.decided().future();
    }

    private void processNext() {
        if (!(phase instanceof Phase.Idle) || inbox.isEmpty()) {
            return;
        }
        phase = new Phase.Deciding();
        Waiting next = inbox.take();
        if (RunMachine.requiresCapacity(state, next.input())) {
            requestCapacity(next);
        } else {
            decide(next, Capacity.NONE);
        }
    }

    private void requestCapacity(Waiting next) {
        try {
            scheduler
                    .capacity
                    .of(state, next.input())
                    .onComplete(capacity -> decide(next, capacity), failure -> undecided(next, failure));
        } catch (RuntimeException | Error failure) {
            undecided(next, failure);
        }
    }

    private StoreUnavailableException lost() {
        return new StoreUnavailableException("run " + runId() + " is no longer executed by this node", null);
    }

    private void decide(Waiting next, Capacity capacity) {
        if (isDropped()) {
            next.fail(lost());
            return;
        }
        try {
            store(next, RunMachine.decide(state, next.input(), next.at(), capacity, scheduler.permits));
        } catch (RuntimeException | Error failure) {
            // Catches everything: a run that stays busy would be frozen for good.
            undecided(next, failure);
        }
    }

    private void undecided(Waiting next, Throwable failure) {
        if (!isDropped()) {
            phase = new Phase.Deciding();
            Waiting.safely(() -> scheduler.effects.broken(this, next.input(), failure));
            becomeIdle();
        }
        next.fail(failure);
        processNext();
    }

    private void becomeIdle() {
        if (!isDropped()) {
            phase = new Phase.Idle();
        }
    }

    private void store(Waiting next, Decision decision) {
        if (decision.events().isEmpty()) {
            decision.late()
                    .ifPresent(
                            what -> scheduler.lateInputs.note(state.runId(), state.sequence(), what, Instants.now()));
            durable(next, decision);
            return;
        }
        phase = new Phase.Storing(decision.state());
        scheduler
                .journal
                .append(state, decision, next.at())
                .onComplete(durable -> durable(next, decision), cause -> refused(next, cause));
    }

    private void durable(Waiting next, Decision decision) {
        if (isDropped()) {
            // The next owner of the run finds the events in the store.
            next.fail(lost());
            return;
        }
        phase = new Phase.Deciding();
        state = decision.state();
        execute(decision, next.input());
        becomeIdle();
        Waiting.safely(() -> next.decided().complete(decision));
        processNext();
    }

    /** Executes the first decision of this run, which is durable. */
    void begin(Decision first) {
        execute(first, new RunInput.Start(state.createdAt()));
    }

    private void execute(Decision decision, RunInput input) {
        try {
            scheduler.effects.execute(this, decision);
        } catch (RuntimeException | Error failure) {
            Waiting.safely(() -> scheduler.effects.broken(this, input, failure));
        }
    }

    private void refused(Waiting next, Throwable cause) {
        if (isDropped()) {
            next.fail(cause);
            return;
        }
        boolean waits =
                next.internal() || cause instanceof StaleAppendException || cause instanceof StoreUnavailableException;
        // Set before the caller receives the failure: its next request must wait, and the run must not be released.
        phase = waits ? new Phase.Stuck(cause) : new Phase.Idle();
        Waiting.safely(() -> scheduler.capacity.fillLater());
        if (next.internal()) {
            inbox.putBack(next);
        } else {
            next.fail(cause);
        }
        if (waits) {
            // At once, since the outage has no known end.
            inbox.takeRequests().forEach(one -> one.fail(cause));
            scheduler.storeRetry.failed(this, cause);
        } else {
            processNext();
        }
    }

    /**
     * Continues after a store failure. Waiting inputs are decided only after {@code broken}, so that nothing new is
     * launched on a disk that failed once.
     */
    void tryAgain(Instant at, String broken) {
        continueWith(new RunInput.Broken(at, broken));
    }

    /**
     * Continues from a newer durable state, as after a restart: an append became durable, but its answer was lost. A
     * waiting recovery input stays the first one.
     */
    void catchUp(RunState durable, Instant at) {
        state = durable;
        continueWith(new RunInput.Recover(at));
    }

    private void continueWith(RunInput first) {
        inbox.putFirst(first);
        continueUnchanged();
    }

    /** Continues after an outage during which the history did not change. */
    void continueUnchanged() {
        if (phase instanceof Phase.Stuck) {
            phase = new Phase.Idle();
        }
        processNext();
    }
}
