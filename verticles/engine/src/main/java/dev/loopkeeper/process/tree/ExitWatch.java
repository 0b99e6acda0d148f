package dev.loopkeeper.process.tree;

import com.sun.jna.Native;
import dev.loopkeeper.work.LibC;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the exit of processes with one thread, which exists while a process is watched. A report only means that the
 * process should be checked: it is also sent when processes cannot be watched any longer. Thread-safe.
 */
final class ExitWatch implements Runnable {
    /** Token for a process that is not watched. */
    static final long NOT_WATCHED = -1;

    private static final Logger LOG = LoggerFactory.getLogger(ExitWatch.class);

    /** Each takes a file descriptor; further processes are polled. */
    private static final int MAX_WATCHED = 512;

    private static final ExitWatch SHARED = new ExitWatch(MAX_WATCHED);

    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int ADD = 1;
    private static final int REMOVE = 2;
    private static final int READABLE = 1;
    private static final int INTERRUPTED = 4;
    private static final int AT_ONCE = 64;
    private static final int IDLE_MILLIS = 5_000;
    private static final long STACK_BYTES = 256L << 10;
    private static final EpollEvents LAYOUT = EpollEvents.ofThisMachine();
    private static final int NONE = -1;

    /** @param handle a pidfd, which the watch owns */
    private record Watched(int handle, Runnable ended) {}

    private final int most;
    private final Map<Long, Watched> watched = new HashMap<>();
    private long newest;
    private int group = NONE;

    /** @param most limit of watched processes */
    ExitWatch(int most) {
        this.most = most;
    }

    /** Returns the watch for processes that are being terminated. */
    static ExitWatch shared() {
        return SHARED;
    }

    /**
     * Watches the process with this pidfd and takes ownership of it.
     *
     * @param ended called once, on a thread of the watch; must not block
     * @return token for {@link #forget}; {@link #NOT_WATCHED} if the process cannot be watched, and then the caller
     *     keeps the pidfd
     */
    synchronized long add(int handle, Runnable ended) {
        if (watched.size() >= most || !isOpen()) {
            return NOT_WATCHED;
        }
        long token = ++newest;
        watched.put(token, new Watched(handle, ended));
        if (!control(ADD, handle, token)) {
            watched.remove(token);
            return NOT_WATCHED;
        }
        return token;
    }

    /** Ends the watch of a process. */
    synchronized void forget(long token) {
        Watched entry = watched.remove(token);
        if (entry != null) {
            release(entry);
        }
    }

    private boolean isOpen() {
        if (group == NONE) {
            group = LibC.get().epoll_create1(CLOSE_ON_EXEC);
            if (group >= 0) {
                Thread thread = new Thread(null, this, "loopkeeper-exits", STACK_BYTES);
                thread.setDaemon(true);
                thread.start();
            }
        }
        return group >= 0;
    }

    @Override
    public void run() {
        try {
            boolean more = true;
            while (more) {
                more = round();
            }
        } catch (RuntimeException | Error bug) { // otherwise exits would never be reported
            giveUp(bug.toString());
        }
    }

    /** Returns false if it was the last round. */
    private boolean round() {
        byte[] events = new byte[LAYOUT.bytes() * AT_ONCE];
        int count = LibC.get().epoll_wait(group, events, AT_ONCE, IDLE_MILLIS);
        if (count < 0 && Native.getLastError() != INTERRUPTED) {
            giveUp("error " + Native.getLastError());
            return false;
        }
        ByteBuffer read = ByteBuffer.wrap(events).order(ByteOrder.nativeOrder());
        for (int event = 0; event < count; event++) {
            report(LAYOUT.data(read, event));
        }
        return count != 0 || !endWhenIdle();
    }

    private void report(long token) {
        Watched entry;
        synchronized (this) {
            entry = watched.remove(token);
            if (entry != null) {
                release(entry);
            }
        }
        if (entry != null) {
            report(entry);
        }
    }

    /** A listener may be closed by now; its exception must not affect other listeners. */
    private static void report(Watched entry) {
        try {
            entry.ended().run();
        } catch (RuntimeException | Error closed) {
            LOG.debug("the exit of a process could not be reported", closed);
        }
    }

    private synchronized boolean endWhenIdle() {
        if (watched.isEmpty()) {
            close(group);
            group = NONE;
        }
        return group == NONE;
    }

    private void giveUp(String why) {
        LOG.warn("exits of processes cannot be watched and are polled: {}", why);
        List<Watched> all;
        synchronized (this) {
            all = new ArrayList<>(watched.values());
            watched.clear();
            all.forEach(this::release);
            close(group);
            group = NONE;
        }
        all.forEach(ExitWatch::report);
    }

    private void release(Watched entry) {
        if (!control(REMOVE, entry.handle(), 0)) {
            LOG.trace("{} was not watched", entry.handle());
        }
        close(entry.handle());
    }

    private boolean control(int operation, int handle, long token) {
        return LibC.get().epoll_ctl(group, operation, handle, LAYOUT.event(READABLE, token)) == 0;
    }

    private static void close(int descriptor) {
        if (LibC.get().close(descriptor) != 0) {
            LOG.debug("descriptor {} could not be closed", descriptor);
        }
    }
}
