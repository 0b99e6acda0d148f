package dev.loopkeeper.agent;

import dev.loopkeeper.step.ErrorKind;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a step's process ended, as seen from outside.
 *
 * @param exitCode 0 to 255, 128 + n for a death by signal n; absent when nothing recorded it
 * @param raised why we ended it or could not launch it: {@code ABORTED}, {@code TIMEOUT}, {@code IDLE},
 *     {@code SESSION_FAILED}, {@code BAD_PROMPT} or {@code INFRASTRUCTURE}; absent when it ended by itself or by somebody else's signal
 * @param diagnostic what a person should know of it, e.g. the remedy of a launch that failed
 */
public record ExitFacts(OptionalInt exitCode, Optional<ErrorKind> raised, Optional<String> diagnostic) {
    /** By number, the signals that end a process, without SIG; the numbers are those of Linux. */
    static final Map<Integer, String> DEADLY_SIGNALS = Map.ofEntries(
            Map.entry(1, "HUP"),
            Map.entry(2, "INT"),
            Map.entry(3, "QUIT"),
            Map.entry(4, "ILL"),
            Map.entry(5, "TRAP"),
            Map.entry(6, "ABRT"),
            Map.entry(7, "BUS"),
            Map.entry(8, "FPE"),
            Map.entry(9, "KILL"),
            Map.entry(11, "SEGV"),
            Map.entry(13, "PIPE"),
            Map.entry(14, "ALRM"),
            Map.entry(15, "TERM"),
            Map.entry(24, "XCPU"),
            Map.entry(25, "XFSZ"),
            Map.entry(31, "SYS"));

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
        return exitCode.isEmpty() || DEADLY_SIGNALS.containsKey(exitCode.getAsInt() - 128);
    }
}
