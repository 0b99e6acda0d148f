package dev.loopkeeper.agent;

import dev.loopkeeper.step.ErrorKind;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * How a step's process ended, as seen from outside.
 *
 * @param exitCode 0 to 255, 128 + n for a death by signal n; absent when nothing recorded it
 * @param raised why we ended it or could not launch it: {@code ABORTED}, {@code TIMEOUT}, {@code IDLE},
 *     {@code SESSION_FAILED}, {@code BAD_PROMPT} or {@code INFRASTRUCTURE}; absent when it ended by itself or by somebody else's signal
 * @param diagnostic what a person should know of it, e.g. the remedy of a launch that failed
 */
public record ExitFacts(OptionalInt exitCode, Optional<ErrorKind> raised, Optional<String> diagnostic) {
    /** HUP, INT, QUIT, ILL, TRAP, ABRT, BUS, FPE, KILL, SEGV, PIPE, ALRM, TERM, XCPU, XFSZ, SYS. */
    private static final Set<Integer> DEADLY_SIGNALS = Set.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 15, 24, 25, 31);

    /** It ended by itself. */
    public static ExitFacts exited(int exitCode) {
        return new ExitFacts(OptionalInt.of(exitCode), Optional.empty(), Optional.empty());
    }

    /** It is gone and nothing recorded how. */
    public static ExitFacts vanished() {
        return new ExitFacts(OptionalInt.empty(), Optional.empty(), Optional.empty());
    }

    /** We ended it. */
    public static ExitFacts endedByUs(ErrorKind reason, OptionalInt exitCode) {
        return new ExitFacts(exitCode, Optional.of(reason), Optional.empty());
    }

    /** It never ran. */
    public static ExitFacts launchFailed(String diagnostic) {
        return new ExitFacts(OptionalInt.empty(), Optional.of(ErrorKind.SESSION_FAILED), Optional.of(diagnostic));
    }

    boolean is(int code) {
        return exitCode.equals(OptionalInt.of(code));
    }

    /** The shell's word for a command that is not there or may not be run. */
    boolean notRunnable() {
        return is(126) || is(127);
    }

    boolean crashed() {
        return exitCode.isEmpty() || DEADLY_SIGNALS.contains(exitCode.getAsInt() - 128);
    }
}
