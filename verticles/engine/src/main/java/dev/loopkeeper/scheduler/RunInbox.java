package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.message.RunInput;
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

    boolean isEmpty() {
        return inbox.isEmpty();
    }

    void add(Waiting waiting) {
        inbox.add(waiting);
    }

    /** Puts an input back that was taken before those that wait. */
    void putBack(Waiting taken) {
        inbox.add(0, taken);
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
}
