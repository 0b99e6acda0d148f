package dev.loopkeeper.cli.session;

import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.termination.Category;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.view.Run;

/** Exit codes of the process. For signals the JVM itself exits with 130 or 143. */
public final class ExitCodes {
    /** Success; for a run: completed. */
    public static final int DONE = 0;
    /** The run failed and a person must fix something, or this program has a bug. */
    public static final int FATAL = 1;
    /** Invalid usage, an invalid manifest, or a refusal; nothing was started. */
    public static final int REFUSED = 2;
    /** The run stopped at a limit. */
    static final int CAPACITY = 3;
    /** The run waits for a person. */
    public static final int PAUSED = 4;
    /** The run failed for a reason that may be temporary. */
    static final int RETRYABLE = 5;
    /** An operator stopped the run. */
    static final int OPERATOR = 6;
    /** No server, or no such run. */
    public static final int UNREACHABLE = 7;
    /** The wait timed out. */
    public static final int TIMED_OUT = 124;

    private ExitCodes() {}

    /** Returns the code for a run that is paused or has ended. */
    public static int of(Run run) {
        return run.status() == RunStatus.PAUSED
                ? PAUSED
                : run.termination()
                        .map(ended -> of(ended.subtype(), ended.category()))
                        .orElse(FATAL);
    }

    /** Returns the code for a run that ended with this subtype. */
    public static int of(String subtype, Category category) {
        if (subtype.equals(StandardReason.OPERATOR_STOP.subtype())) {
            return OPERATOR;
        }
        return switch (category) {
            case SUCCESS -> DONE;
            case CAPACITY -> CAPACITY;
            case RETRYABLE -> RETRYABLE;
            case FATAL -> FATAL;
        };
    }
}
