package dev.loopkeeper.process;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.util.Map;

/**
 * Sends signals to exactly the process that is meant. A pidfd is opened first and the identity checked after it, so
 * that a pid which passes to another process in between is never signalled; kernels before 5.3 get a check right
 * before {@code kill}.
 */
final class Signals {
    /** Cannot be caught. */
    static final String KILL = "KILL";

    private static final Map<String, Integer> NUMBERS =
            Map.of("HUP", 1, "INT", 2, "QUIT", 3, KILL, 9, "USR1", 10, "USR2", 12, "TERM", 15);
    private static final long PIDFD_SEND_SIGNAL = 424;
    private static final long PIDFD_OPEN = 434;

    private final ProcFs processes;

    Signals(ProcFs processes) {
        this.processes = processes;
    }

    /** Loaded with the first signal, on a worker: it takes a moment. */
    private static final class Loaded {
        private static final LibC LIBC = Native.load("c", LibC.class);
    }

    /** The part of the C library that is used. */
    interface LibC extends Library {
        /** See kill(2). */
        int kill(int pid, int signal);

        /** See close(2). */
        int close(int descriptor);

        /** See syscall(2). */
        NativeLong syscall(NativeLong number, Object... arguments);
    }

    /**
     * Sends it, if that process still lives.
     *
     * @param name without SIG, e.g. {@code TERM}
     * @return whether it was delivered
     */
    boolean send(Identity target, String name) {
        Integer signal = NUMBERS.get(name);
        if (signal == null) {
            throw new IllegalArgumentException("unknown signal " + name);
        }
        int descriptor = system(PIDFD_OPEN, (int) target.pid(), 0);
        try {
            return processes.living(target) && deliver(descriptor, (int) target.pid(), signal);
        } finally {
            close(descriptor);
        }
    }

    private static boolean deliver(int descriptor, int pid, int signal) {
        int result = descriptor < 0
                ? Loaded.LIBC.kill(pid, signal)
                : system(PIDFD_SEND_SIGNAL, descriptor, signal, new NativeLong(0), 0);
        return result == 0;
    }

    private static void close(int descriptor) {
        if (descriptor >= 0 && Loaded.LIBC.close(descriptor) != 0) {
            throw new IllegalStateException("pidfd " + descriptor + " could not be closed");
        }
    }

    private static int system(long call, Object... arguments) {
        return Loaded.LIBC.syscall(new NativeLong(call), arguments).intValue();
    }
}
