package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.LaunchGates;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunState;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Inputs of one run that wait to be decided, in order. */
final class RunInbox {
    private static final Logger LOG = LoggerFactory.getLogger(RunInbox.class);

    private static final int MOST_AT_ONCE = 64;

    private final List<Waiting> inbox = new ArrayList<>();

    /**
     * One input.
     *
     * @param internal whether it is a fact, which is kept until it is durable, and not a request
     * @param at time of its events: its own, or that of an input that was decided before it
     */
    record Waiting(RunInput input, Promise<Decision> decided, boolean internal, Instant at) {
        Waiting(RunInput input, Promise<Decision> decided, boolean internal) {
            this(input, decided, internal, input.at());
        }

        Waiting notBefore(Instant earliest) {
            return at.isBefore(earliest) ? new Waiting(input, decided, internal, earliest) : this;
        }

        boolean isEnd() {
            return internal && input instanceof RunInput.StepEnded;
        }

        /** Merges a newer input into this one, if both can be decided as one. */
        Optional<Waiting> joined(RunInput newer) {
            return internal
                    ? input.joined(newer).map(both -> new Waiting(both, decided, true).notBefore(at))
                    : Optional.empty();
        }

        void fail(Throwable cause) {
            safely(() -> decided.tryFail(cause));
        }

        /** Runs a callback; its failure must not keep the run from its next input. */
        static void safely(Runnable callback) {
            try {
                callback.run();
            } catch (RuntimeException | Error failure) {
                LOG.error("an unexpected internal error", failure);
            }
        }
    }

    /** An input and the decision on it. */
    record Decided(Waiting waiting, Decision decision) {
        boolean isEnd() {
            return waiting.isEnd();
        }

        RunJournal.Timed timed() {
            return new RunJournal.Timed(decision, waiting.at());
        }
    }

    boolean isEmpty() {
        return inbox.isEmpty();
    }

    void add(Waiting waiting) {
        inbox.add(waiting);
    }

    /** Puts inputs back that were taken before those that wait. */
    void putBack(List<Waiting> taken) {
        inbox.addAll(0, taken);
    }

    /** Makes this fact the first input, unless one of its kind is, and merges waiting inputs into it where possible. */
    void putFirst(RunInput fact) {
        if (inbox.isEmpty() || inbox.get(0).input().getClass() != fact.getClass()) {
            inbox.add(0, new Waiting(fact, Promise.promise(), true));
        }
        for (Waiting later : List.copyOf(inbox.subList(1, inbox.size()))) {
            Optional<Waiting> joined = inbox.get(0).joined(later.input());
            if (joined.isPresent()) {
                inbox.set(0, joined.get());
                inbox.remove(later);
                joined.get().decided().future().onComplete(later.decided());
            }
        }
        Instant earliest = inbox.get(0).at();
        inbox.replaceAll(later -> later.notBefore(earliest));
    }

    /** Merges this fact into one that waits; false where that is impossible. */
    boolean join(RunInput input) {
        for (int index = 0; index < inbox.size(); index++) {
            Optional<Waiting> joined = inbox.get(index).joined(input);
            if (joined.isPresent()) {
                inbox.set(index, joined.get());
                return true;
            }
        }
        return false;
    }

    Waiting take() {
        return inbox.remove(0);
    }

    List<Waiting> takeAll() {
        List<Waiting> all = List.copyOf(inbox);
        inbox.clear();
        return all;
    }

    List<Waiting> takeRequests() {
        List<Waiting> requests = inbox.stream().filter(one -> !one.internal()).toList();
        inbox.removeAll(requests);
        return requests;
    }

    /** Decides on the step ends that wait next as well, so that all are made durable together. */
    List<Decided> withFollowing(Decided first, LaunchGates gates) {
        List<Decided> made = new ArrayList<>(List.of(first));
        Optional<Decided> next = Optional.of(first);
        while (next.isPresent() && made.size() < MOST_AT_ONCE) {
            next = following(next.get(), gates);
            next.ifPresent(made::add);
        }
        return made;
    }

    /** Decides on the next input if it is a step end; any other input waits for a decision of its own. */
    private Optional<Decided> following(Decided before, LaunchGates gates) {
        if (!before.isEnd() || inbox.isEmpty()) {
            return Optional.empty();
        }
        Waiting next = inbox.get(0);
        RunState after = before.decision().state();
        try {
            if (!next.isEnd() || RunMachine.requiresCapacity(after, next.input())) {
                return Optional.empty();
            }
            Decision decision = RunMachine.decide(after, next.input(), next.at(), Capacity.NONE, gates);
            return decision.events().isEmpty() ? Optional.empty() : Optional.of(new Decided(take(), decision));
        } catch (RuntimeException | Error failure) {
            LOG.debug("run {}: the end of a step is decided separately", after.runId(), failure);
            return Optional.empty();
        }
    }
}
