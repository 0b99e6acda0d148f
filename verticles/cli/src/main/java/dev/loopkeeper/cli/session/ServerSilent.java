package dev.loopkeeper.cli.session;

/** A server that is there, and has not answered in time: what it was asked for may be done all the same. */
public final class ServerSilent extends CommandFailure {
    ServerSilent(String message) {
        super(ExitCodes.UNREACHABLE, message);
    }
}
