package dev.loopkeeper.cli.session;

/** Reports that this process cannot own the data folder at the moment. */
public final class FolderInUse extends CommandFailure {
    private final String waiting;

    /**
     * @param message the failure of a command that does not wait, or no longer
     * @param waiting what a command says before it waits
     */
    public FolderInUse(String message, String waiting) {
        super(ExitCodes.REFUSED, message);
        this.waiting = waiting;
    }

    /** Returns the failure if another process owns the data folder. */
    public static FolderInUse byOther(RootCommand root, String message) {
        return new FolderInUse(
                message,
                "another process owns " + root.dataFolder().path()
                        + " but serves no URL; waiting until that process serves one or ends");
    }

    String waiting() {
        return waiting;
    }
}
