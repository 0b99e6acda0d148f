package dev.loopkeeper.agent;

import dev.loopkeeper.step.ErrorKind;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Describes how a step's process ended.
 *
 * @param exitCode 0 to 255, 128 + n after signal n; absent when it was not recorded
 * @param raised why Loopkeeper ended it or could not launch it: {@code ABORTED}, {@code TIMEOUT}, {@code IDLE}, {@code
 * SESSION_FAILED}, {@code BAD_PROMPT}, {@code SANDBOX} or {@code INFRASTRUCTURE}; absent when it exited or a signal from
 * outside killed it
 * @param diagnostic a text for people, e.g. the remedy of a failed launch
 */
public record ExitFacts(OptionalInt exitCode, Optional<ErrorKind> raised, Optional<String> diagnostic) {
    /** The signals that end a process, by their Linux number, without SIG. */
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

    boolean is(int code) {
        return exitCode.equals(OptionalInt.of(code));
    }

    /** The shell's exit code for a command that is missing or not executable. */
    boolean notRunnable() {
        return is(126) || is(127);
    }

    boolean crashed() {
        return exitCode.isEmpty() || DEADLY_SIGNALS.containsKey(exitCode.getAsInt() - 128);
    }
}
