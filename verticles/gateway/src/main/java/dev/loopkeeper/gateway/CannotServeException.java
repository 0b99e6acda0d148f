package dev.loopkeeper.gateway;

/** The gateway cannot listen: the address is taken or not allowed, or its tokens cannot be read. */
public final class CannotServeException extends RuntimeException {
    private final String host;
    private final int port;

    /**
     * Names the address.
     *
     * @param reason what is wrong and what to do about it
     */
    public CannotServeException(String host, int port, String reason, Throwable cause) {
        super("cannot listen on " + host + ":" + port + ": " + reason, cause);
        this.host = host;
        this.port = port;
    }

    /** The host that was asked for. */
    public String host() {
        return host;
    }

    /** The port that was asked for. */
    public int port() {
        return port;
    }
}
