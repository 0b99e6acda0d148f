package dev.loopkeeper.process.tree;

import com.sun.jna.NativeLong;
import dev.loopkeeper.work.LibC;
import java.util.Map;

/**
 * Sends signals to exactly the intended process. It opens a pidfd and then checks the identity, so that a reused pid is
 * never signalled. Kernels before 5.3 get a check right before {@code kill}.
 */
public final class Signals {
    /** Cannot be caught. */
    public static final String KILL = "KILL";

    private static final Map<String, Integer> NUMBERS =
            Map.of("HUP", 1, "INT", 2, "QUIT", 3, KILL, 9, "USR1", 10, "USR2", 12, "TERM", 15);
    private static final long PIDFD_SEND_SIGNAL = 424;
    private static final long PIDFD_OPEN = 434;

    private final ProcFs processes;

    public Signals(ProcFs processes) {
        this.processes = processes;
    }

    /**
     * Sends a signal if that process lives.
     *
     * @param name without SIG, e.g. {@code TERM}
     * @return whether it was delivered
     */
    public boolean send(Identity target, String name) {
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
                ? LibC.get().kill(pid, signal)
                : system(PIDFD_SEND_SIGNAL, descriptor, signal, new NativeLong(0), 0);
        return result == 0;
    }

    private static void close(int descriptor) {
        if (descriptor >= 0 && LibC.get().close(descriptor) != 0) {
            throw new IllegalStateException("pidfd " + descriptor + " could not be closed");
        }
    }

    private static int system(long call, Object... arguments) {
        return LibC.get().syscall(new NativeLong(call), arguments).intValue();
    }
}
