package dev.loopkeeper.ownership;

import java.util.Optional;

/** Where a node stands with its own lease. Changed by {@link NodeLease} only. */
public sealed interface LeaseState {
    /** When this is to be looked at again with a {@link LeaseInput.Tick}; empty when only something else leads on. */
    default Optional<BootTime> due(LeaseTerms terms) {
        return Optional.empty();
    }

    /** From when on the node's processes are to end; empty where none are, or their end is under way. */
    default Optional<BootTime> deadline() {
        return Optional.empty();
    }

    /** Which lease launches go by; empty when nothing may be launched now. */
    default Optional<Long> mayLaunch(BootTime now, LeaseTerms terms) {
        return Optional.empty();
    }

    /** Whether events of the node's runs may be written, and runs be claimed or taken over. */
    default boolean mayWrite(BootTime now) {
        return false;
    }

    /** Not part of the cluster, or no longer. */
    record Out() implements LeaseState {}

    /**
     * Asks for its lease.
     *
     * @param inherited deadline of processes that an earlier runtime of this node has left, before it has come
     * @param question the one without an answer yet
     * @param next when to ask again otherwise
     */
    record Joining(Optional<BootTime> inherited, Optional<BootTime> question, BootTime next) implements LeaseState {
        @Override
        public Optional<BootTime> due(LeaseTerms terms) {
            Optional<BootTime> ask = question.isPresent() ? Optional.empty() : Optional.of(next);
            return ask.map(time -> inherited.map(time::orEarlier).orElse(time)).or(() -> inherited);
        }

        @Override
        public Optional<BootTime> deadline() {
            return inherited;
        }
    }

    /** Has its lease and all rights. */
    record Live(Lease lease) implements LeaseState {
        @Override
        public Optional<BootTime> due(LeaseTerms terms) {
            return Optional.of(lease.due(lease.deadline().minus(terms.reserve())));
        }

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

    /** Has not been able to renew its lease for long: launches nothing, goes on with what it has. */
    record Doubtful(Lease lease) implements LeaseState {
        @Override
        public Optional<BootTime> due(LeaseTerms terms) {
            return Optional.of(lease.due(lease.deadline()));
        }

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
     * Has no lease any more and ends its processes.
     *
     * @param killAt from when on they are not asked any more
     */
    record Fencing(BootTime killAt) implements LeaseState {}

    /**
     * A lease that is held.
     *
     * @param incarnation grows with each time the node joins
     * @param deadline counted from the moment before the last answered renewal was sent
     * @param question the renewal without an answer yet
     * @param next when to renew otherwise
     */
    record Lease(long incarnation, BootTime deadline, Optional<BootTime> question, BootTime next) {
        /** What begins with the answer to a question that was asked at this time. */
        static Lease of(long incarnation, BootTime sentAt, LeaseTerms terms) {
            return new Lease(incarnation, sentAt.plus(terms.stopAfter()), Optional.empty(), sentAt.plus(terms.renew()));
        }

        private BootTime due(BootTime turn) {
            return question.isPresent() ? turn : turn.orEarlier(next);
        }

        boolean asks(BootTime now) {
            return question.isEmpty() && !now.isBefore(next);
        }

        Lease asked(BootTime now) {
            return new Lease(incarnation, deadline, Optional.of(now), next);
        }

        /** An answer that comes late counts as much as it is worth: from its own question on. */
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
