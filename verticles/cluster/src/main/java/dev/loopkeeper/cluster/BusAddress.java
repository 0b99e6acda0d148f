package dev.loopkeeper.cluster;

/**
 * Where a node is found by the others.
 *
 * @param host name or address, an IPv6 address without its brackets
 * @param port 1 to 65535
 */
public record BusAddress(String host, int port) {
    static final int MOST_PORTS = 65_535;

    /** Refuses, with {@link IllegalArgumentException}, what is no address. */
    public BusAddress {
        if (host.isBlank()) {
            throw new IllegalArgumentException("a host is missing");
        }
        if (port < 1 || port > MOST_PORTS) {
            throw new IllegalArgumentException("a port is 1 to " + MOST_PORTS + ", was " + port);
        }
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
