package dev.loopkeeper.ownership;

import java.util.Optional;

/** Something that happened to a node, with the boot time at which its runtime looked at it, read just before. */
public sealed interface LeaseInput {
    /** When. */
    BootTime at();

    /**
     * A runtime starts: it has the lock of its data folder, which proves that the earlier one is dead, and a warden.
     *
     * @param inherited deadline of the lease file; empty when there is none. One of before the machine's last start does no
     *     harm: no process outlived that
     */
    record Started(BootTime at, Optional<BootTime> inherited) implements LeaseInput {}

    /** Time has gone by. */
    record Tick(BootTime at) implements LeaseInput {}

    /**
     * The node has joined.
     *
     * @param sentAt of the {@link LeaseCommand.Join} that this answers
     * @param incarnation of the node from now on
     */
    record Joined(BootTime at, BootTime sentAt, long incarnation) implements LeaseInput {}

    /** The node may not join, e.g. since another data folder is live under its name; {@code reason} is for people. */
    record JoinRefused(BootTime at, String reason) implements LeaseInput {}

    /** The renewal that was asked for at {@code sentAt} is durable. */
    record Renewed(BootTime at, BootTime sentAt, long incarnation) implements LeaseInput {}

    /** A renewal or an append was refused: this incarnation was fenced. */
    record Fenced(BootTime at, long incarnation) implements LeaseInput {}

    /** What was asked for at {@code sentAt} has failed or was not answered in time. What became of it is unknown. */
    record Unanswered(BootTime at, BootTime sentAt) implements LeaseInput {}

    /** No process of the node is left, launchers included, and a warden runs. */
    record TreesGone(BootTime at) implements LeaseInput {}

    /** The warden died and could not be started again in {@link LeaseTerms#WITHOUT_WARDEN}. */
    record WardenLost(BootTime at) implements LeaseInput {}

    /** The runtime is to end in order, and may leave agents to a next one. */
    record Leave(BootTime at) implements LeaseInput {}
}
