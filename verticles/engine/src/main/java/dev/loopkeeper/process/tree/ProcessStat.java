package dev.loopkeeper.process.tree;

import java.util.Optional;

/**
 * Parsed {@code /proc/PID/stat}.
 *
 * @param state one letter; Z and X are dead
 * @param startTicks start time in clock ticks since boot
 */
public record ProcessStat(long pid, char state, long parent, long group, long session, long startTicks) {
    private static final int PARENT = 1;
    private static final int GROUP = 2;
    private static final int SESSION = 3;
    private static final int START = 19;
    private static final long KERNEL_THREADS = 2;

    /** Parses a stat line; the command in parentheses may itself contain spaces and parentheses. */
    public static Optional<ProcessStat> parse(String line) {
        int commandStart = line.indexOf('(');
        int commandEnd = line.lastIndexOf(')');
        if (commandStart < 1 || commandEnd < commandStart) {
            return Optional.empty();
        }
        String[] fields = line.substring(commandEnd + 1).strip().split(" ", START + 2);
        if (fields.length <= START) {
            return Optional.empty();
        }
        return Optional.of(new ProcessStat(
                Long.parseLong(line.substring(0, commandStart).strip()),
                fields[0].charAt(0),
                Long.parseLong(fields[PARENT]),
                Long.parseLong(fields[GROUP]),
                Long.parseLong(fields[SESSION]),
                Long.parseLong(fields[START])));
    }

    /** Returns whether it is alive; a zombie is only an unread exit status. */
    public boolean living() {
        return state != 'Z' && state != 'X';
    }

    /** Returns whether it is a kernel thread. */
    boolean ofKernel() {
        return pid == KERNEL_THREADS || parent == KERNEL_THREADS;
    }
}
