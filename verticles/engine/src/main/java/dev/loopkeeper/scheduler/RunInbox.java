package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunInput;
import io.vertx.core.Promise;
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
     */
    record Waiting(RunInput input, Promise<Decision> decided, boolean internal) {
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

    /** Puts inputs back that were taken before those that wait. */
    void putBack(List<Waiting> taken) {
        inbox.addAll(0, taken);
    }

    /** Makes this fact the first input, unless one of its kind is. */
    void putFirst(RunInput fact) {
        if (inbox.isEmpty() || inbox.get(0).input().getClass() != fact.getClass()) {
            inbox.add(0, new Waiting(fact, Promise.promise(), true));
        }
    }

    /** Merges this fact into one that waits; false where that is impossible. */
    boolean join(RunInput input) {
        for (int place = 0; place < inbox.size(); place++) {
            Optional<Waiting> joined = inbox.get(place).joined(input);
            if (joined.isPresent()) {
                inbox.set(place, joined.get());
                return true;
            }
        }
        return false;
    }

    Optional<Waiting> first() {
        return inbox.stream().findFirst();
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
