package dev.loopkeeper.cli.session;

/** The failure of a process that cannot create another thread. */
public final class NoThread {
    private static final String SAID = "native thread";
    private static final String REMEDY =
            ". Raise the limit of this user, service or container (ulimit -u, TasksMax, pids limit), or end other"
                    + " processes of it, and try again.";

    private NoThread() {}

    /** Returns whether the error means a missing thread, which the JVM reports as missing memory. */
    public static boolean is(OutOfMemoryError failure) {
        return String.valueOf(failure.getMessage()).contains(SAID);
    }

    /** Returns the failure that ends the command. */
    public static CommandFailure refusal(String why) {
        return CommandFailure.refused("no further thread can be started: " + why + REMEDY);
    }
}
