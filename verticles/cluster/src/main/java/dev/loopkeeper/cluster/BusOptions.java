package dev.loopkeeper.cluster;

import java.util.List;
import java.util.Optional;

/**
 * Options of the event bus between the nodes of a cluster.
 *
 * @param members addresses of nodes; a node may start later than this one
 * @param bind address of this node: {@code port} for the membership, and {@link #MESSAGES} above it for messages
 * @param tls absent: neither encryption nor authentication
 */
public record BusOptions(List<BusAddress> members, BusAddress bind, Optional<BusTls> tls) {
    /** Distance of the port for messages above the port for the membership. */
    public static final int MESSAGES = 100;

    /** Fails with {@link IllegalArgumentException} for a port that leaves none for messages. */
    public BusOptions {
        if (bind.port() > BusAddress.MOST_PORTS - MESSAGES) {
            throw new IllegalArgumentException(
                    "the bus needs a second port, " + MESSAGES + " above its own, so its own port is 1 to "
                            + (BusAddress.MOST_PORTS - MESSAGES) + ", was " + bind.port());
        }
        members = List.copyOf(members);
    }

    /** Returns the port for messages. */
    public int messagePort() {
        return bind.port() + MESSAGES;
    }
}
