package dev.loopkeeper.cluster;

import dev.loopkeeper.contract.run.NodeFigures;
import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.LeaseState;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** What is counted of a node's leases. Any thread. */
final class LeaseFigures {
    private final AtomicLong takeovers = new AtomicLong();
    private final AtomicLong fences = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private volatile Optional<BootTime> deadline = Optional.empty();
    private volatile Optional<Long> least = Optional.empty();

    /** Where the node stands now. One thread. */
    void stands(LeaseState state, BootTime now) {
        Optional<BootTime> before = deadline;
        deadline = state instanceof LeaseState.Live || state instanceof LeaseState.Doubtful
                ? state.deadline()
                : Optional.empty();
        if (before.isPresent() && deadline.isPresent() && before.get().isBefore(deadline.get())) {
            long left = left(before.get(), now);
            least = Optional.of(least.map(known -> Math.min(known, left)).orElse(left));
        }
        if (before.isPresent() && state instanceof LeaseState.Fencing) {
            lost.incrementAndGet();
        }
    }

    void takenOver(int runs) {
        takeovers.addAndGet(runs);
    }

    void fenced() {
        fences.incrementAndGet();
    }

    NodeFigures at(BootTime now) {
        long margin = deadline.map(time -> left(time, now)).orElse(0L);
        return new NodeFigures(margin, least.orElse(margin), takeovers.get(), fences.get(), lost.get());
    }

    private static long left(BootTime deadline, BootTime now) {
        return Math.max(0, deadline.millis() - now.millis());
    }
}
