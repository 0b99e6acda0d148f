package dev.loopkeeper.cli.session;

/** A server that exists but did not answer in time; it may still have executed the request. */
public final class ServerSilent extends CommandFailure {
    ServerSilent(String message) {
        super(ExitCodes.UNREACHABLE, message);
    }
}
