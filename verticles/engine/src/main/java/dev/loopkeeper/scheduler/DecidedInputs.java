package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.Capacity;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.scheduler.RunInbox.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides on step ends that wait one after the other, so that all are made durable together. */
final class DecidedInputs {
    private static final Logger LOG = LoggerFactory.getLogger(DecidedInputs.class);
    private static final int MOST_AT_ONCE = 64;

    private DecidedInputs() {}

    /** An input and the decision on it. */
    record Decided(Waiting waiting, Decision decision) {
        boolean isEnd() {
            return waiting.isEnd();
        }

        RunJournal.Timed timed() {
            return new RunJournal.Timed(decision, waiting.input().at());
        }
    }

    /** Decides on the step ends that wait next as well, so that all are made durable together. */
    static List<Decided> withFollowing(Decided first, RunInbox inbox) {
        List<Decided> made = new ArrayList<>(List.of(first));
        Optional<Decided> next = Optional.of(first);
        while (next.isPresent() && made.size() < MOST_AT_ONCE) {
            next = following(next.get(), inbox);
            next.ifPresent(made::add);
        }
        return made;
    }

    /** Decides on the next input if it is a step end; any other input waits for a decision of its own. */
    private static Optional<Decided> following(Decided before, RunInbox inbox) {
        if (!before.isEnd() || inbox.isEmpty()) {
            return Optional.empty();
        }
        Waiting next = inbox.first().orElseThrow();
        RunState after = before.decision().state();
        try {
            if (!next.isEnd() || RunMachine.requiresCapacity(after, next.input())) {
                return Optional.empty();
            }
            Decision decision = RunMachine.decide(after, next.input(), Capacity.NONE);
            return decision.events().isEmpty() ? Optional.empty() : Optional.of(new Decided(inbox.take(), decision));
        } catch (RuntimeException | Error failure) {
            LOG.debug("run {}: an end of a step is decided alone", after.runId(), failure);
            return Optional.empty();
        }
    }
}
