package dev.loopkeeper.gateway;

/** The gateway cannot serve: the address is taken or not allowed, or a file or folder that it needs cannot be used. */
public final class CannotServeException extends RuntimeException {
    private final String host;
    private final int port;

    /**
     * Names the address.
     *
     * @param reason what is wrong and what to do about it
     */
    public CannotServeException(String host, int port, String reason, Throwable cause) {
        this("cannot listen on " + host + ":" + port + ": " + reason, cause, host, port);
    }

    private CannotServeException(String message, Throwable cause, String host, int port) {
        super(message, cause);
        this.host = host;
        this.port = port;
    }

    /** Of a file or folder, whatever the address. */
    static CannotServeException without(GatewayOptions options, String reason, Throwable cause) {
        return new CannotServeException("cannot serve: " + reason, cause, options.host(), options.port());
    }

    /** Why the system did not give an address, and what to do about it. */
    static String unbound(Throwable cause) {
        String said = String.valueOf(cause.getMessage());
        return said.contains("Permission denied")
                ? "this user may not open that port; choose one from 1024 on, which a proxy may serve at another"
                : "the address is in use or not of this machine (" + said
                        + "); stop what listens there, or choose another port (0 picks a free one)";
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
