package dev.loopkeeper.cli.session;

/** A server that is there, and waits for its store, such as a node whose database is being restarted. */
final class StoreAway extends CommandFailure {
    static final String CODE = "store-unavailable";

    StoreAway(String message) {
        super(ExitCodes.UNREACHABLE, message);
    }
}
