package dev.loopkeeper.cli.session;

/** Another process owns the data folder. */
public final class FolderInUse extends CommandFailure {
    /** @param message names the owning process */
    public FolderInUse(String message) {
        super(ExitCodes.REFUSED, message);
    }
}
