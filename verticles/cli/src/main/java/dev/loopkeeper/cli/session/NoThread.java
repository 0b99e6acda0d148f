package dev.loopkeeper.cli.session;

/** The machine gave this process no thread. */
public final class NoThread {
    private static final String SAID = "native thread";
    private static final String REMEDY =
            ". Let this user, service or container have more (ulimit -u, TasksMax, pids limit) or end others of its"
                    + " processes, and try again.";

    private NoThread() {}

    /** Whether that is what the virtual machine means: it calls that want of memory. */
    public static boolean is(OutOfMemoryError failure) {
        return String.valueOf(failure.getMessage()).contains(SAID);
    }

    /** Ends the command so. */
    public static CommandFailure refusal(String why) {
        return CommandFailure.refused("this machine has no thread to give: " + why + REMEDY);
    }
}
