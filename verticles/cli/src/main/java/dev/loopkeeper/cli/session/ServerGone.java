package dev.loopkeeper.cli.session;

/** A server that does not exist, has ended, or accepts no more work because it is draining. */
public final class ServerGone extends CommandFailure {
    static final String CODE = "draining";

    private final boolean mayHaveHeard;

    ServerGone(String message, boolean mayHaveHeard) {
        super(ExitCodes.UNREACHABLE, message);
        this.mayHaveHeard = mayHaveHeard;
    }

    /** Returns whether the server may have executed the request. */
    public boolean mayHaveHeard() {
        return mayHaveHeard;
    }
}
