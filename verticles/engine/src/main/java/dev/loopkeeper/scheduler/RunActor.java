package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.Capacity;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.Appended;
import dev.loopkeeper.store.StaleAppendException;
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
 * One run: takes its inputs one after the other, makes what they mean durable, and only then carries it out. Used from
 * one context only.
 */
final class RunActor {
    /** What a run needs of the world. */
    interface Host {
        /** Carries out what was decided; it is durable. */
        void carryOut(RunActor run, Decision decision);

        /** Notes an input that came too late to matter. */
        void late(RunState state, String what);

        /** What there is for this run, which is not under way and would be by this input. Does not fail. */
        Future<Capacity> room(RunActor run, RunInput input);

        /** What was decided came to nothing: the store refused it. */
        void undone(RunActor run);

        /** A flaw of ours: this input could not be decided, nothing has changed. */
        void undecided(RunActor run, RunInput input, Throwable flaw);

        /** A flaw of ours: what this input meant is durable, and could not be carried out as a whole. */
        void notCarriedOut(RunActor run, RunInput input, Throwable flaw);

        /** The store refuses: calls {@link RunActor#tryAgain} when it may work again. */
        void storeFailed(RunActor run, Throwable cause);
    }

    private static final Logger LOG = LoggerFactory.getLogger(RunActor.class);

    private static final int MOST_AT_ONCE = 64;

    private record Waiting(RunInput input, Promise<Decision> decided, boolean internal) {
        boolean isEnd() {
            return internal && input instanceof RunInput.StepEnded;
        }

        /** Takes in what came later, if both can be decided as one. */
        Optional<Waiting> joined(RunInput newer) {
            return internal ? input.joined(newer).map(both -> new Waiting(both, decided, true)) : Optional.empty();
        }
    }

    private record Made(Waiting waiting, Decision decision) {
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
    /** What is about to be durable. */
    private Optional<RunState> upcoming = Optional.empty();

    private boolean busy;
    /** Why the store refused what happened, until it is tried again. */
    private Optional<Throwable> stuck = Optional.empty();

    private int users;
    /** Whether it is somebody else's by now, as far as we know, or another actor's here. */
    private boolean dropped;

    RunActor(RunState state, RunJournal journal, Host host) {
        this.state = state;
        this.journal = journal;
        this.host = host;
    }

    /** What is durable. */
    RunState state() {
        return state;
    }

    /** What counts for places: one is held from the moment it is about to be taken until it is given back for sure. */
    RunState claim() {
        return RunSlots.holds(state.condition()) ? state : upcoming.orElse(state);
    }

    String runId() {
        return state.runId();
    }

    /** Does this work with the run, which is not let go meanwhile. */
    <T> Future<T> during(Function<RunActor, Future<T>> work) {
        users++;
        return Future.<RunActor>succeededFuture(this).compose(work).onComplete(over -> users--);
    }

    /** Whether it does and decides nothing any more. */
    boolean isDropped() {
        return dropped;
    }

    /** Does and decides nothing from now on, whatever comes back: another node may be at it, or another actor. */
    void drop(RuntimeException why) {
        dropped = true;
        upcoming = Optional.empty();
        List<Waiting> waiting = List.copyOf(inbox);
        inbox.clear();
        waiting.forEach(one -> safely(() -> one.decided().tryFail(why)));
    }

    boolean inUse() {
        return users > 0 || isDeciding() || stuck.isPresent();
    }

    /** Whether its state is about to change. */
    boolean isDeciding() {
        return busy || !inbox.isEmpty();
    }

    /** Somebody asks: completes once the answer is durable; fails when the store refuses, and then nothing happened. */
    Future<Decision> ask(RunInput input) {
        return offer(new Waiting(input, Promise.promise(), false));
    }

    /**
     * Something happened: kept until it is durable, however long the store takes. What only goes on from something that
     * waits already takes its place, so that a store that is stuck lets nothing grow.
     */
    void tell(RunInput input) {
        if (!joinsOneThatWaits(input)) {
            // Fails only for an input that cannot be decided, which the host have heard of.
            report(input).onFailure(told -> {});
        }
    }

    /** The same for what joins nothing; completes once it is decided and what follows is begun. */
    Future<Decision> report(RunInput input) {
        return offer(new Waiting(input, Promise.promise(), true));
    }

    private boolean joinsOneThatWaits(RunInput input) {
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
        if (dropped) {
            return Future.failedFuture(lost());
        }
        if (stuck.isPresent() && !waiting.internal()) {
            return Future.failedFuture(stuck.get());
        }
        inbox.add(waiting);
        turn();
        return waiting.decided().future();
    }

    private void turn() {
        if (dropped || busy || stuck.isPresent() || inbox.isEmpty()) {
            return;
        }
        busy = true;
        Waiting next = inbox.remove(0);
        if (RunMachine.requiresCapacity(state, next.input())) {
            look(next);
        } else {
            decide(next, Capacity.NONE);
        }
    }

    private void look(Waiting next) {
        try {
            host.room(this, next.input()).onComplete(room -> decide(next, room), flaw -> undecided(next, flaw));
        } catch (RuntimeException | Error flaw) {
            undecided(next, flaw);
        }
    }

    private StoreUnavailableException lost() {
        return new StoreUnavailableException("run " + runId() + " is not carried out here any more", null);
    }

    private void decide(Waiting next, Capacity room) {
        if (dropped) {
            safely(() -> next.decided().tryFail(lost()));
            return;
        }
        try {
            carry(next, RunMachine.decide(state, next.input(), room));
        } catch (RuntimeException | Error flaw) { // whatever breaks: a run that stays busy is frozen for good
            undecided(next, flaw);
        }
    }

    private void undecided(Waiting next, Throwable flaw) {
        if (dropped) {
            safely(() -> next.decided().tryFail(flaw));
            return;
        }
        upcoming = Optional.empty();
        safely(() -> host.undecided(this, next.input(), flaw));
        busy = false;
        safely(() -> next.decided().tryFail(flaw));
        turn();
    }

    /** Neither a flaw of whom we tell nor one of whom we answer may keep the run from its next input. */
    private void safely(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | Error flaw) {
            LOG.error("run {}: a flaw that nobody expected", runId(), flaw);
        }
    }

    private void carry(Waiting next, Decision decision) {
        if (decision.events().isEmpty()) {
            decision.late().ifPresent(what -> host.late(state, what));
            decided(next, decision);
            return;
        }
        List<Made> made = withThoseBehind(new Made(next, decision));
        upcoming = Optional.of(made.get(made.size() - 1).decision().state());
        append(made).onComplete(durable -> durable(made), cause -> refused(made, cause));
    }

    /** Where it breaks before the store is asked, those behind the first wait again: they are no part of that flaw. */
    private Future<Appended> append(List<Made> made) {
        try {
            return journal.append(
                    state.sequence(), made.stream().map(Made::timed).toList(), Optional.empty());
        } catch (RuntimeException | Error flaw) {
            inbox.addAll(0, made.stream().skip(1).map(Made::waiting).toList());
            throw flaw;
        }
    }

    /** Ends of steps that wait behind one are decided on what it leads to, and made durable with it. */
    private List<Made> withThoseBehind(Made first) {
        List<Made> made = new ArrayList<>(List.of(first));
        Optional<Made> next = Optional.of(first);
        while (next.isPresent() && made.size() < MOST_AT_ONCE) {
            next = behind(next.get());
            next.ifPresent(made::add);
        }
        return made;
    }

    /** What cannot be decided so waits for its own turn. */
    private Optional<Made> behind(Made before) {
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
            return decision.events().isEmpty() ? Optional.empty() : Optional.of(new Made(inbox.remove(0), decision));
        } catch (RuntimeException | Error flaw) {
            LOG.debug("run {}: an end of a step is decided alone", runId(), flaw);
            return Optional.empty();
        }
    }

    private void durable(List<Made> made) {
        if (dropped) {
            // Whoever takes it up finds it recorded.
            made.forEach(part -> safely(() -> part.waiting().decided().tryFail(lost())));
            return;
        }
        upcoming = Optional.empty();
        for (Made part : made) {
            state = part.decision().state();
            carryOut(part.decision(), part.waiting().input());
        }
        busy = false;
        made.forEach(part -> safely(() -> part.waiting().decided().complete(part.decision())));
        turn();
    }

    private void decided(Waiting next, Decision decision) {
        state = decision.state();
        upcoming = Optional.empty();
        carryOut(decision, next.input());
        busy = false;
        safely(() -> next.decided().complete(decision));
        turn();
    }

    /** What this run begins with is durable. */
    void begin(Decision first) {
        carryOut(first, new RunInput.Start(state.createdAt()));
    }

    private void carryOut(Decision decision, RunInput input) {
        try {
            host.carryOut(this, decision);
        } catch (RuntimeException | Error flaw) {
            safely(() -> host.notCarriedOut(this, input, flaw));
        }
    }

    private void refused(List<Made> made, Throwable cause) {
        if (dropped) {
            made.forEach(part -> safely(() -> part.waiting().decided().tryFail(cause)));
            return;
        }
        Waiting next = made.get(0).waiting();
        upcoming = Optional.empty();
        busy = false;
        boolean waits =
                next.internal() || cause instanceof StaleAppendException || cause instanceof StoreUnavailableException;
        if (waits) {
            // Before an asker hears of it: what it asks for next must wait, and nobody may let the run go.
            stuck = Optional.of(cause);
        }
        safely(() -> host.undone(this));
        if (next.internal()) {
            inbox.addAll(0, made.stream().map(Made::waiting).toList());
        } else {
            safely(() -> next.decided().fail(cause));
        }
        if (waits) {
            refuseAskers(cause);
            host.storeFailed(this, cause);
        } else {
            turn();
        }
    }

    /** They are told at once: how long the store refuses nobody knows. */
    private void refuseAskers(Throwable cause) {
        List<Waiting> askers =
                inbox.stream().filter(waiting -> !waiting.internal()).toList();
        inbox.removeAll(askers);
        askers.forEach(asker -> safely(() -> asker.decided().fail(cause)));
    }

    /**
     * The store may work again. What waits is decided only after {@code broken}, so that nothing new is launched on a
     * disk that failed once.
     */
    void tryAgain(Instant at, String broken) {
        boolean alreadyFirst = !inbox.isEmpty() && inbox.get(0).input() instanceof RunInput.Broken;
        if (!alreadyFirst) {
            inbox.add(0, new Waiting(new RunInput.Broken(at, broken), Promise.promise(), true));
        }
        stuck = Optional.empty();
        turn();
    }

    /** The store was away and is back, and has nothing that is not known: what waits is decided as it would have been. */
    void goOn() {
        stuck = Optional.empty();
        turn();
    }

    /**
     * The store is further than this actor, whose append became durable though its answer was lost: goes on from there,
     * as after a restart. What a run is to hear first of all, that its node was lost, stays the first.
     */
    void catchUp(RunState durable, Instant at) {
        state = durable;
        boolean alreadyFirst = !inbox.isEmpty() && inbox.get(0).input() instanceof RunInput.Recover;
        if (!alreadyFirst) {
            inbox.add(0, new Waiting(new RunInput.Recover(at), Promise.promise(), true));
        }
        stuck = Optional.empty();
        turn();
    }
}
