package dev.loopkeeper.cli.session;

/** The server refuses this token, or requires one; no other option of the command would help. */
public final class TokenRefused extends CommandFailure {
    TokenRefused(String message) {
        super(ExitCodes.REFUSED, message);
    }
}
