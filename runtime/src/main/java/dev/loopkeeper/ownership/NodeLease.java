package dev.loopkeeper.ownership;

import dev.loopkeeper.ownership.LeaseState.Doubtful;
import dev.loopkeeper.ownership.LeaseState.Fencing;
import dev.loopkeeper.ownership.LeaseState.Joining;
import dev.loopkeeper.ownership.LeaseState.Lease;
import dev.loopkeeper.ownership.LeaseState.Live;
import dev.loopkeeper.ownership.LeaseState.Out;
import java.util.Optional;

/**
 * Decides what a node does about its lease. The caller feeds every input with its boot time, executes the commands in
 * order, and sends a {@link LeaseInput.Tick} several times a second. No wall clock is involved.
 *
 * <p>The deadline comes first: after it, the node ends its processes on any input. A paused node may find the answer to
 * its renewal in the socket although another node has taken over.
 *
 * @param terms of the cluster
 */
public record NodeLease(LeaseTerms terms) {
    /** The state before the start. */
    public static final LeaseState OUT = new Out();

    /** Decides an input in a state. Total: it accepts every input in every state. */
    public LeaseDecision decide(LeaseState state, LeaseInput input) {
        Optional<BootTime> deadline = state.deadline();
        if (deadline.isPresent() && !input.at().isBefore(deadline.get())) {
            return end(deadline.get().plus(LeaseTerms.GRACE));
        }
        if (state instanceof Out) {
            return out(state, input);
        }
        if (state instanceof Joining joining) {
            return joining(joining, input);
        }
        if (state instanceof Fencing) {
            return fencing(state, input);
        }
        return held(state, state instanceof Live live ? live.lease() : ((Doubtful) state).lease(), input);
    }

    /**
     * Processes of an earlier runtime may live until its deadline, since no other node owns their runs until then. They
     * must end before this node may own runs.
     */
    private static LeaseDecision out(LeaseState out, LeaseInput input) {
        if (input instanceof LeaseInput.Started started) {
            Optional<BootTime> inherited = started.inherited().filter(started.at()::isBefore);
            return inherited.isPresent() ? join(inherited, started.at()) : end(started.at());
        }
        return LeaseDecision.of(out);
    }

    private LeaseDecision joining(Joining joining, LeaseInput input) {
        BootTime at = input.at();
        if (input instanceof LeaseInput.Joined joined && awaited(joining, joined.sentAt())) {
            Lease lease = Lease.of(joined.incarnation(), joined.sentAt(), terms);
            return at.isBefore(lease.deadline()) ? joined(lease) : join(joining.inherited(), at);
        }
        if (input instanceof LeaseInput.Unanswered question && awaited(joining, question.sentAt())) {
            return LeaseDecision.of(new Joining(joining.inherited(), Optional.empty(), at.plus(LeaseTerms.RETRY)));
        }
        if (input instanceof LeaseInput.JoinRefused refused) {
            return LeaseDecision.of(NodeLease.OUT, new LeaseCommand.GiveUp(refused.reason()));
        }
        if (input instanceof LeaseInput.Leave) {
            return LeaseDecision.of(NodeLease.OUT);
        }
        if (input instanceof LeaseInput.WardenLost && joining.inherited().isPresent()) {
            return end(joining.inherited().get().orEarlier(at).plus(LeaseTerms.GRACE));
        }
        boolean ask = joining.question().isEmpty() && !at.isBefore(joining.next());
        return ask ? join(joining.inherited(), at) : LeaseDecision.of(joining);
    }

    /** An answer to an earlier request may report an outdated incarnation. */
    private static boolean awaited(Joining joining, BootTime sentAt) {
        return joining.question().equals(Optional.of(sentAt));
    }

    private static LeaseDecision joined(Lease lease) {
        return LeaseDecision.of(new Live(lease), file(lease), new LeaseCommand.RecoverRuns(lease.incarnation()));
    }

    private static LeaseDecision fencing(LeaseState fencing, LeaseInput input) {
        if (input instanceof LeaseInput.Leave) {
            return LeaseDecision.of(NodeLease.OUT);
        }
        return input instanceof LeaseInput.TreesGone gone
                ? join(Optional.empty(), gone.at())
                : LeaseDecision.of(fencing);
    }

    private LeaseDecision held(LeaseState state, Lease lease, LeaseInput input) {
        BootTime at = input.at();
        if (input instanceof LeaseInput.Fenced fenced && fenced.incarnation() == lease.incarnation()) {
            return end(at);
        }
        if (input instanceof LeaseInput.WardenLost) {
            return end(at.plus(LeaseTerms.GRACE));
        }
        if (input instanceof LeaseInput.Leave) {
            return LeaseDecision.of(NodeLease.OUT, new LeaseCommand.Release(lease.incarnation()));
        }
        if (input instanceof LeaseInput.Renewed renewed && renewed.incarnation() == lease.incarnation()) {
            return renewed(lease, lease.renewed(renewed.sentAt(), terms), at);
        }
        if (input instanceof LeaseInput.Unanswered question) {
            return LeaseDecision.of(heldState(lease.unanswered(question.sentAt(), at), at));
        }
        if (lease.asks(at)) {
            return LeaseDecision.of(heldState(lease.asked(at), at), new LeaseCommand.Renew(at, lease.incarnation()));
        }
        return LeaseDecision.of(state instanceof Doubtful ? state : heldState(lease, at));
    }

    private LeaseDecision renewed(Lease before, Lease lease, BootTime at) {
        return lease.deadline().equals(before.deadline())
                ? LeaseDecision.of(heldState(lease, at))
                : LeaseDecision.of(heldState(lease, at), file(lease));
    }

    private LeaseState heldState(Lease lease, BootTime at) {
        return at.isBefore(lease.deadline().minus(terms.reserve())) ? new Live(lease) : new Doubtful(lease);
    }

    private static LeaseCommand file(Lease lease) {
        return new LeaseCommand.WriteFile(new LeaseFile(lease.incarnation(), lease.deadline()));
    }

    private static LeaseDecision join(Optional<BootTime> inherited, BootTime at) {
        return LeaseDecision.of(new Joining(inherited, Optional.of(at), at), new LeaseCommand.Join(at));
    }

    private static LeaseDecision end(BootTime killAt) {
        return LeaseDecision.of(new Fencing(killAt), new LeaseCommand.DropRuns(), new LeaseCommand.EndTrees(killAt));
    }
}
