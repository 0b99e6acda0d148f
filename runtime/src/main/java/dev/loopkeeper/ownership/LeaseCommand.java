package dev.loopkeeper.ownership;

/** A command for a node's lease; commands are executed in order and are safe to repeat. */
public sealed interface LeaseCommand {
    /**
     * Requests the lease from the database; the incarnation rises by one. If the node's row was live, its runs stay its
     * own with epochs higher by one; if it was fenced, it has none. Answered by {@link LeaseInput.Joined}, {@link
     * LeaseInput.JoinRefused} or, after {@link LeaseTerms#ANSWER}, {@link LeaseInput.Unanswered}.
     */
    record Join(BootTime sentAt) implements LeaseCommand {}

    /**
     * Raises the node's heartbeat in the database if this incarnation is live there. Answered by {@link
     * LeaseInput.Renewed}, {@link LeaseInput.Fenced} or, after {@link LeaseTerms#ANSWER}, {@link
     * LeaseInput.Unanswered}; then the next request uses a new connection.
     */
    record Renew(BootTime sentAt, long incarnation) implements LeaseCommand {}

    /** Replaces the lease file before the next command. */
    record WriteFile(LeaseFile file) implements LeaseCommand {}

    /**
     * Takes over this node's runs: adopts their living agents and ends other processes that carry the mark of this data
     * folder. Then claims runs for the free slots.
     */
    record RecoverRuns(long incarnation) implements LeaseCommand {}

    /** Forgets all runs at once: the node writes no event and starts no effect any more. */
    record DropRuns() implements LeaseCommand {}

    /**
     * Sends TERM to all processes of the node, and KILL from {@code killAt} on until none is left. Answered by {@link
     * LeaseInput.TreesGone}.
     */
    record EndTrees(BootTime killAt) implements LeaseCommand {}

    /**
     * Releases the runs without a living or starting process. If none remain, the node's row says so, and other nodes
     * need not wait for its lease. The other runs stay until the next runtime starts or the lease expires.
     */
    record Release(long incarnation) implements LeaseCommand {}

    /** Reports to the operator that the node cannot join, and exits. */
    record GiveUp(String reason) implements LeaseCommand {}
}
