package dev.loopkeeper.cli.session;

/** Ends a command with one message. It has no stack trace, since it is an expected outcome. */
public class CommandFailure extends RuntimeException {
    private final int exitCode;

    /**
     * Creates a failure.
     *
     * @param message what is wrong and what to do about it; may have several lines
     */
    public CommandFailure(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    public static CommandFailure refused(String message) {
        return new CommandFailure(ExitCodes.REFUSED, message);
    }

    public static CommandFailure unreachable(String message) {
        return new CommandFailure(ExitCodes.UNREACHABLE, message);
    }

    public int exitCode() {
        return exitCode;
    }
}
