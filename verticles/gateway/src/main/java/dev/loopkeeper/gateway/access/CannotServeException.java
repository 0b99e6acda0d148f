package dev.loopkeeper.gateway.access;

/** The gateway cannot serve: its address is in use or not allowed, or a required file or folder is unusable. */
public final class CannotServeException extends RuntimeException {
    private final String host;
    private final int port;

    /**
     * Names the address in the message.
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

    /** A failure of a file or folder. */
    public static CannotServeException without(GatewayOptions options, String reason, Throwable cause) {
        return new CannotServeException("cannot serve: " + reason, cause, options.host(), options.port());
    }

    /** Returns why the system refused the address, and what to do about it. */
    public static String unbound(Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        return text.contains("Permission denied")
                ? "this user is not permitted to open this port; choose a port of 1024 or higher"
                : "the address is in use or not on this machine (" + text
                        + "); stop the program that uses it, or choose another port (0 picks a free one)";
    }

    /** Returns the requested host. */
    public String host() {
        return host;
    }

    /** Returns the requested port. */
    public int port() {
        return port;
    }
}
