package dev.loopkeeper.ownership;

/** Something to be done for a node, in the order given. Safe to repeat. */
public sealed interface LeaseCommand {
    /**
     * Ask the database for the lease: the incarnation rises by one. Where the node's row was live, its runs stay its own
     * with epochs higher by one; where it was fenced, it has none. Answered by {@link LeaseInput.Joined},
     * {@link LeaseInput.JoinRefused} or, after {@link LeaseTerms#ANSWER}, {@link LeaseInput.Unanswered}.
     */
    record Join(BootTime sentAt) implements LeaseCommand {}

    /**
     * Raise the node's beat in the database, if this incarnation is live there. Answered by {@link LeaseInput.Renewed},
     * {@link LeaseInput.Fenced} or, after {@link LeaseTerms#ANSWER}, {@link LeaseInput.Unanswered}; then the next question
     * goes over a new connection.
     */
    record Renew(BootTime sentAt, long incarnation) implements LeaseCommand {}

    /** Replace the lease file, before anything else is done. */
    record WriteFile(LeaseFile file) implements LeaseCommand {}

    /**
     * Take up the runs that are this node's: adopt their living agents, end any other process that carries the mark of
     * this data folder. Then claim further runs as there are places.
     */
    record TakeUp(long incarnation) implements LeaseCommand {}

    /** Forget all runs at once: no event is written, no effect begun any more. */
    record DropRuns() implements LeaseCommand {}

    /**
     * Ask all processes of the node to end now, and end them from {@code killAt} on, until none is found. Answered by
     * {@link LeaseInput.TreesGone}.
     */
    record EndTrees(BootTime killAt) implements LeaseCommand {}

    /**
     * Give back the runs of which no process is alive or about to start; with none left the node's row says so and nobody
     * needs to wait for it. The others stay, for the next runtime or until the lease is over.
     */
    record LetGo(long incarnation) implements LeaseCommand {}

    /** Tell the person who started the node that it cannot join, and end. */
    record GiveUp(String reason) implements LeaseCommand {}
}
