package dev.loopkeeper.cli.session;

/** A server that is not there, not any more, or takes no more work since it ends. */
public final class ServerGone extends CommandFailure {
    static final String CODE = "draining";

    private final boolean mayHaveHeard;

    ServerGone(String message, boolean mayHaveHeard) {
        super(ExitCodes.UNREACHABLE, message);
        this.mayHaveHeard = mayHaveHeard;
    }

    /** Whether what it was asked for may be done all the same. */
    public boolean mayHaveHeard() {
        return mayHaveHeard;
    }
}
