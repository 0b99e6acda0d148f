package dev.loopkeeper.ownership;

import java.util.Optional;

/** The state of a node's lease. Only {@link NodeLease} changes it. */
public sealed interface LeaseState {
    /** When the node's processes must end; empty when there are none or they are already ending. */
    default Optional<BootTime> deadline() {
        return Optional.empty();
    }

    /** The lease that permits a launch; empty when no launch is permitted. */
    default Optional<Long> mayLaunch(BootTime now, LeaseTerms terms) {
        return Optional.empty();
    }

    /** Whether the node may write events of its runs, claim runs and take runs over. */
    default boolean mayWrite(BootTime now) {
        return false;
    }

    /** The node is not part of the cluster. */
    record Out() implements LeaseState {}

    /**
     * The node requests its lease.
     *
     * @param inherited deadline of processes that an earlier runtime of this node left
     * @param question the unanswered request, if any
     * @param next time of the next request otherwise
     */
    record Joining(Optional<BootTime> inherited, Optional<BootTime> question, BootTime next) implements LeaseState {
        @Override
        public Optional<BootTime> deadline() {
            return inherited;
        }
    }

    /** The node holds its lease with all rights. */
    record Live(Lease lease) implements LeaseState {
        @Override
        public Optional<BootTime> deadline() {
            return Optional.of(lease.deadline());
        }

        @Override
        public Optional<Long> mayLaunch(BootTime now, LeaseTerms terms) {
            return now.isBefore(lease.deadline().minus(terms.reserve()))
                    ? Optional.of(lease.incarnation())
                    : Optional.empty();
        }

        @Override
        public boolean mayWrite(BootTime now) {
            return now.isBefore(lease.deadline());
        }
    }

    /** The node could not renew its lease for a while. It launches nothing and continues its work. */
    record Doubtful(Lease lease) implements LeaseState {
        @Override
        public Optional<BootTime> deadline() {
            return Optional.of(lease.deadline());
        }

        @Override
        public boolean mayWrite(BootTime now) {
            return now.isBefore(lease.deadline());
        }
    }

    /**
     * The node has lost its lease and ends its processes.
     *
     * @param killAt when they are killed
     */
    record Fencing(BootTime killAt) implements LeaseState {}

    /**
     * A held lease.
     *
     * @param incarnation grows with each time the node joins
     * @param deadline counted from the moment before the last answered renewal was sent
     * @param question the unanswered renewal, if any
     * @param next time of the next renewal otherwise
     */
    record Lease(long incarnation, BootTime deadline, Optional<BootTime> question, BootTime next) {
        /** The lease granted by the answer to a request sent at this time. */
        static Lease of(long incarnation, BootTime sentAt, LeaseTerms terms) {
            return new Lease(incarnation, sentAt.plus(terms.stopAfter()), Optional.empty(), sentAt.plus(terms.renew()));
        }

        boolean asks(BootTime now) {
            return question.isEmpty() && !now.isBefore(next);
        }

        Lease asked(BootTime now) {
            return new Lease(incarnation, deadline, Optional.of(now), next);
        }

        /** A late answer extends the lease from the time of its own request. */
        Lease renewed(BootTime sentAt, LeaseTerms terms) {
            BootTime later = deadline.orLater(sentAt.plus(terms.stopAfter()));
            boolean awaited = question.equals(Optional.of(sentAt));
            return awaited
                    ? new Lease(incarnation, later, Optional.empty(), sentAt.plus(terms.renew()))
                    : new Lease(incarnation, later, question, next);
        }

        Lease unanswered(BootTime sentAt, BootTime now) {
            return question.equals(Optional.of(sentAt))
                    ? new Lease(incarnation, deadline, Optional.empty(), now.plus(LeaseTerms.RETRY))
                    : this;
        }
    }
}
