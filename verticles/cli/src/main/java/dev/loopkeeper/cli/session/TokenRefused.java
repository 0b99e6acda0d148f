package dev.loopkeeper.cli.session;

/** The server lets nobody do this who has this token, or none: no other option of the command would help. */
public final class TokenRefused extends CommandFailure {
    TokenRefused(String message) {
        super(ExitCodes.REFUSED, message);
    }
}
