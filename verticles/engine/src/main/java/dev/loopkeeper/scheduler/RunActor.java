package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.Capacity;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes the inputs of one run in order: decides, makes the events durable, then has the decision executed. Used
 * from one context only.
 */
final class RunActor {
    /** Connects an actor to the scheduler. */
    interface Host {
        /** Executes a durable decision. */
        void execute(RunActor run, Decision decision);

        /** Records an input that arrived after the end of the run. */
        void late(RunState state, String what);

        /** Returns the capacity for a run that this input would activate. Does not fail. */
        Future<Capacity> capacity(RunActor run, RunInput input);

        /** The store refused the decision, so it has no effect. */
        void undone(RunActor run);

        /** Deciding on this input, or executing its durable decision, failed with an internal error. */
        void broken(RunActor run, RunInput input, Throwable failure);

        /** The store failed: the host calls {@link RunActor#tryAgain} when it may work again. */
        void storeFailed(RunActor run, Throwable cause);
    }

    private static final Logger LOG = LoggerFactory.getLogger(RunActor.class);

    private static final int MOST_AT_ONCE = 64;

    /** What the actor does. */
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

    private record Waiting(RunInput input, Promise<Decision> decided, boolean internal) {
        boolean isEnd() {
            return internal && input instanceof RunInput.StepEnded;
        }

        /** Merges a newer input into this one, if both can be decided as one. */
        Optional<Waiting> joined(RunInput newer) {
            return internal ? input.joined(newer).map(both -> new Waiting(both, decided, true)) : Optional.empty();
        }

        void fail(Throwable cause) {
            safely(() -> decided.tryFail(cause));
        }
    }

    private record Decided(Waiting waiting, Decision decision) {
        boolean isEnd() {
            return waiting.isEnd();
        }

        RunJournal.Timed timed() {
            return new RunJournal.Timed(decision, waiting.input().at());
        }
    }

    private final RunJournal journal;
    private final Host host;
    private final List<Waiting> inbox = new ArrayList<>();
    private RunState state;
    private Phase phase = new Phase.Idle();
    private int users;

    RunActor(RunState state, RunJournal journal, Host host) {
        this.state = state;
        this.journal = journal;
        this.host = host;
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

    /** Whether it ignores all further inputs. */
    boolean isDropped() {
        return phase instanceof Phase.Dropped;
    }

    /** Ignores everything from now on: another node or another actor may own the run. */
    void drop(RuntimeException why) {
        phase = new Phase.Dropped();
        List<Waiting> waiting = List.copyOf(inbox);
        inbox.clear();
        waiting.forEach(one -> one.fail(why));
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
        if (!joinsWaiting(input)) {
            // Fails only for an input that cannot be decided, of which the host was notified.
            report(input).onFailure(logged -> {});
        }
    }

    /** Submits a fact without merging it; completes once it is decided and its effects have begun. */
    Future<Decision> report(RunInput input) {
        return offer(new Waiting(input, Promise.promise(), true));
    }

    private boolean joinsWaiting(RunInput input) {
        for (int place = 0; place < inbox.size(); place++) {
            Optional<Waiting> joined = inbox.get(place).joined(input);
            if (joined.isPresent()) {
                inbox.set(place, joined.get());
                return true;
            }
        }
        return false;
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
        Waiting next = inbox.remove(0);
        if (RunMachine.requiresCapacity(state, next.input())) {
            requestCapacity(next);
        } else {
            decide(next, Capacity.NONE);
        }
    }

    private void requestCapacity(Waiting next) {
        try {
            host.capacity(this, next.input())
                    .onComplete(capacity -> decide(next, capacity), failure -> undecided(next, failure));
        } catch (RuntimeException | Error failure) {
            undecided(next, failure);
        }
    }

    private StoreUnavailableException lost() {
        return new StoreUnavailableException("run " + runId() + " is no longer executed here", null);
    }

    private void decide(Waiting next, Capacity capacity) {
        if (isDropped()) {
            next.fail(lost());
            return;
        }
        try {
            store(next, RunMachine.decide(state, next.input(), capacity));
        } catch (RuntimeException | Error failure) {
            // Catches everything: a run that stays busy would be frozen for good.
            undecided(next, failure);
        }
    }

    private void undecided(Waiting next, Throwable failure) {
        if (!isDropped()) {
            phase = new Phase.Deciding();
            safely(() -> host.broken(this, next.input(), failure));
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

    /** Runs a callback; its failure must not keep the run from its next input. */
    private static void safely(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error failure) {
            LOG.error("an unexpected internal error", failure);
        }
    }

    private void store(Waiting next, Decision decision) {
        if (decision.events().isEmpty()) {
            decision.late().ifPresent(what -> host.late(state, what));
            durable(List.of(new Decided(next, decision)));
            return;
        }
        List<Decided> made = withFollowing(new Decided(next, decision));
        phase = new Phase.Storing(made.get(made.size() - 1).decision().state());
        append(made).onComplete(durable -> durable(made), cause -> refused(made, cause));
    }

    /**
     * Stores the decisions. If this throws before the store is called, the inputs after the first wait again, as they
     * are not the cause.
     */
    private Future<Appended> append(List<Decided> made) {
        try {
            return journal.append(
                    state.sequence(), made.stream().map(Decided::timed).toList(), Optional.empty());
        } catch (RuntimeException | Error failure) {
            inbox.addAll(0, made.stream().skip(1).map(Decided::waiting).toList());
            throw failure;
        }
    }

    /** Decides on the step ends that wait next as well, so that all are made durable together. */
    private List<Decided> withFollowing(Decided first) {
        List<Decided> made = new ArrayList<>(List.of(first));
        Optional<Decided> next = Optional.of(first);
        while (next.isPresent() && made.size() < MOST_AT_ONCE) {
            next = following(next.get());
            next.ifPresent(made::add);
        }
        return made;
    }

    /** Decides on the next input if it is a step end; any other input waits for a decision of its own. */
    private Optional<Decided> following(Decided before) {
        if (!before.isEnd() || inbox.isEmpty()) {
            return Optional.empty();
        }
        Waiting next = inbox.get(0);
        RunState after = before.decision().state();
        try {
            if (!next.isEnd() || RunMachine.requiresCapacity(after, next.input())) {
                return Optional.empty();
            }
            Decision decision = RunMachine.decide(after, next.input(), Capacity.NONE);
            return decision.events().isEmpty() ? Optional.empty() : Optional.of(new Decided(inbox.remove(0), decision));
        } catch (RuntimeException | Error failure) {
            LOG.debug("run {}: an end of a step is decided alone", runId(), failure);
            return Optional.empty();
        }
    }

    private void durable(List<Decided> made) {
        if (isDropped()) {
            // The next owner of the run finds the events in the store.
            made.forEach(part -> part.waiting().fail(lost()));
            return;
        }
        phase = new Phase.Deciding();
        for (Decided part : made) {
            state = part.decision().state();
            execute(part.decision(), part.waiting().input());
        }
        becomeIdle();
        made.forEach(part -> safely(() -> part.waiting().decided().complete(part.decision())));
        processNext();
    }

    /** Executes the first decision of this run, which is durable. */
    void begin(Decision first) {
        execute(first, new RunInput.Start(state.createdAt()));
    }

    private void execute(Decision decision, RunInput input) {
        try {
            host.execute(this, decision);
        } catch (RuntimeException | Error failure) {
            safely(() -> host.broken(this, input, failure));
        }
    }

    private void refused(List<Decided> made, Throwable cause) {
        if (isDropped()) {
            made.forEach(part -> part.waiting().fail(cause));
            return;
        }
        Waiting next = made.get(0).waiting();
        boolean waits =
                next.internal() || cause instanceof StaleAppendException || cause instanceof StoreUnavailableException;
        // Set before the caller receives the failure: its next request must wait, and the run must not be released.
        phase = waits ? new Phase.Stuck(cause) : new Phase.Idle();
        safely(() -> host.undone(this));
        if (next.internal()) {
            inbox.addAll(0, made.stream().map(Decided::waiting).toList());
        } else {
            next.fail(cause);
        }
        if (waits) {
            failCallers(cause);
            host.storeFailed(this, cause);
        } else {
            processNext();
        }
    }

    /** Fails all waiting requests at once, since the outage has no known end. */
    private void failCallers(Throwable cause) {
        List<Waiting> askers =
                inbox.stream().filter(waiting -> !waiting.internal()).toList();
        inbox.removeAll(askers);
        askers.forEach(asker -> asker.fail(cause));
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
        if (inbox.isEmpty() || inbox.get(0).input().getClass() != first.getClass()) {
            inbox.add(0, new Waiting(first, Promise.promise(), true));
        }
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
