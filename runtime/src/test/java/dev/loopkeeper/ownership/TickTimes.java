package dev.loopkeeper.ownership;

import java.util.Optional;

/** Computes for a simulation when a state would change at a {@link LeaseInput.Tick}, so that it can skip the ticks before. */
final class TickTimes {
    private TickTimes() {}

    /** Empty when the state waits for another input. */
    static Optional<BootTime> next(LeaseState state, LeaseTerms terms) {
        if (state instanceof LeaseState.Joining joining) {
            Optional<BootTime> ask = joining.question().isPresent() ? Optional.empty() : Optional.of(joining.next());
            return ask.map(time -> joining.inherited().map(time::orEarlier).orElse(time))
                    .or(joining::inherited);
        }
        if (state instanceof LeaseState.Live live) {
            return Optional.of(next(live.lease(), live.lease().deadline().minus(terms.reserve())));
        }
        if (state instanceof LeaseState.Doubtful doubtful) {
            return Optional.of(next(doubtful.lease(), doubtful.lease().deadline()));
        }
        return Optional.empty();
    }

    private static BootTime next(LeaseState.Lease lease, BootTime change) {
        return lease.question().isPresent() ? change : change.orEarlier(lease.next());
    }
}
