package dev.loopkeeper.cli.session;

/** Another process owns the data folder. */
public final class FolderInUse extends CommandFailure {
    /** @param message names that process */
    public FolderInUse(String message) {
        super(ExitCodes.REFUSED, message);
    }
}
