package dev.loopkeeper.cluster;

/**
 * Address of a node on the cluster's event bus.
 *
 * @param host name or IP address; an IPv6 address without brackets
 * @param port 1 to 65535
 */
public record BusAddress(String host, int port) {
    static final int MOST_PORTS = 65_535;

    /** Fails with {@link IllegalArgumentException} for a blank host or an invalid port. */
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
