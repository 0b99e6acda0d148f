package dev.loopkeeper.cli;

/** Another process owns the data folder. */
final class FolderInUse extends CommandFailure {
    /** @param message names that process */
    FolderInUse(String message) {
        super(ExitCodes.REFUSED, message);
    }
}
