package dev.loopkeeper.ownership;

import java.util.Optional;

/** An input of a node's lease, with the boot time just before the runtime observed it. */
public sealed interface LeaseInput {
    BootTime at();

    /**
     * A runtime starts with the lock of its data folder, which proves that its predecessor is dead, and with a warden.
     *
     * @param inherited deadline of the lease file; empty without a file. A deadline from before a reboot is harmless:
     * no process survives a reboot
     */
    record Started(BootTime at, Optional<BootTime> inherited) implements LeaseInput {}

    /** Time has passed. */
    record Tick(BootTime at) implements LeaseInput {}

    /**
     * The node has joined.
     *
     * @param sentAt of the {@link LeaseCommand.Join} that caused this answer
     * @param incarnation of the node
     */
    record Joined(BootTime at, BootTime sentAt, long incarnation) implements LeaseInput {}

    /** The node may not join, e.g. because another data folder is live under its name; {@code reason} is for people. */
    record JoinRefused(BootTime at, String reason) implements LeaseInput {}

    /** The renewal sent at {@code sentAt} is durable. */
    record Renewed(BootTime at, BootTime sentAt, long incarnation) implements LeaseInput {}

    /** The database refused a renewal or an append because this incarnation was fenced. */
    record Fenced(BootTime at, long incarnation) implements LeaseInput {}

    /** The request sent at {@code sentAt} failed or timed out. Its effect is unknown. */
    record Unanswered(BootTime at, BootTime sentAt) implements LeaseInput {}

    /** No process of the node is left, including launchers, and a warden runs. */
    record TreesGone(BootTime at) implements LeaseInput {}

    /** The warden died and did not restart within {@link LeaseTerms#WITHOUT_WARDEN}. */
    record WardenLost(BootTime at) implements LeaseInput {}

    /** The runtime shuts down and may leave agents to the next one. */
    record Leave(BootTime at) implements LeaseInput {}
}
