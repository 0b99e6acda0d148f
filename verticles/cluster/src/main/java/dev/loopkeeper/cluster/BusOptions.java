package dev.loopkeeper.cluster;

import java.util.List;
import java.util.Optional;

/**
 * The event bus that the nodes of a cluster make among themselves.
 *
 * @param members where nodes are looked for; those that are not there yet come later
 * @param bind where this node is found, an address of this machine: {@code port} for the membership, and
 *     {@link #MESSAGES} above it for messages
 * @param tls absent: what is sent is not encrypted and nobody shows who he is
 */
public record BusOptions(List<BusAddress> members, BusAddress bind, Optional<BusTls> tls) {
    /** By so much the port of messages is above that of the membership. */
    public static final int MESSAGES = 100;

    /** Refuses, with {@link IllegalArgumentException}, a port that leaves none for messages. */
    public BusOptions {
        if (bind.port() > BusAddress.MOST_PORTS - MESSAGES) {
            throw new IllegalArgumentException(
                    "the bus needs the port " + MESSAGES + " above its own too, so that is 1 to "
                            + (BusAddress.MOST_PORTS - MESSAGES) + ", was " + bind.port());
        }
        members = List.copyOf(members);
    }

    /** Where this node's messages arrive. */
    public int messagePort() {
        return bind.port() + MESSAGES;
    }
}
