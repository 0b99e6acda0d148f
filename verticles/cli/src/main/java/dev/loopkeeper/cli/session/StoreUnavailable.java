package dev.loopkeeper.cli.session;

/** A server whose store is unavailable, e.g. a node whose database restarts. */
public final class StoreUnavailable extends CommandFailure {
    static final String CODE = "store-unavailable";

    StoreUnavailable(String message) {
        super(ExitCodes.UNREACHABLE, message);
    }
}
