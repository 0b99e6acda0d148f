package dev.loopkeeper.cli.session;

/** A server that does not exist, has ended, or accepts no more work because it is draining. */
public final class ServerGone extends CommandFailure {
    static final String CODE = "draining";

    private final boolean mayHaveReceived;

    ServerGone(String message, boolean mayHaveReceived) {
        super(ExitCodes.UNREACHABLE, message);
        this.mayHaveReceived = mayHaveReceived;
    }

    /** Returns whether the server may have executed the request. */
    public boolean mayHaveReceived() {
        return mayHaveReceived;
    }
}
