package dev.loopkeeper.cli;

/** Ends a command with one clear message; it has no stack trace, since it is an answer and not an accident. */
class CommandFailure extends RuntimeException {
    private final int exitCode;

    /**
     * One ending.
     *
     * @param message what is wrong and what to do about it; may have several lines
     */
    CommandFailure(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    static CommandFailure refused(String message) {
        return new CommandFailure(ExitCodes.REFUSED, message);
    }

    static CommandFailure unreachable(String message) {
        return new CommandFailure(ExitCodes.UNREACHABLE, message);
    }

    int exitCode() {
        return exitCode;
    }
}
