package dev.loopkeeper.cluster;

import dev.loopkeeper.contract.NodeChannels.NodeFigures;
import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.LeaseState;
import dev.loopkeeper.store.postgres.RunOwners.Unattended;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** Counts takeovers, fences and lost leases of a node for metrics. Any thread. */
final class LeaseFigures {
    private final AtomicLong takeovers = new AtomicLong();
    private final AtomicLong fences = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private volatile Optional<BootTime> deadline = Optional.empty();
    private volatile Optional<Long> least = Optional.empty();

    /** Called with each new state of the lease, on one thread. */
    void update(LeaseState state, BootTime now) {
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

    /** @param waiting absent if the database does not answer */
    NodeFigures at(BootTime now, Optional<Unattended> waiting) {
        long margin = deadline.map(time -> left(time, now)).orElse(0L);
        return new NodeFigures(
                margin,
                least.orElse(margin),
                takeovers.get(),
                fences.get(),
                lost.get(),
                waiting.map(known -> OptionalLong.of(known.commands())).orElseGet(OptionalLong::empty),
                waiting.map(known -> OptionalLong.of(known.runs())).orElseGet(OptionalLong::empty));
    }

    private static long left(BootTime deadline, BootTime now) {
        return Math.max(0, deadline.millis() - now.millis());
    }
}
