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
 * Tells at once when processes end: one thread for all of them, which is there while somebody is watched. Telling means
 * that it is worth a look, no more: also when nobody can be watched any longer. Thread-safe.
 */
final class ExitWatch implements Runnable {
    /** Nobody is watched. */
    static final long NOBODY = -1;

    private static final Logger LOG = LoggerFactory.getLogger(ExitWatch.class);

    /** Each takes a descriptor, which others need too; whoever is beyond it is looked for by the clock. */
    private static final int MOST = 512;

    private static final ExitWatch SHARED = new ExitWatch(MOST);

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

    /** @param handle a pidfd, which belongs to the watch */
    private record Watched(int handle, Runnable gone) {}

    private final int most;
    private final Map<Long, Watched> watched = new HashMap<>();
    private long newest;
    private int group = NONE;

    /** @param most how many are watched at a time */
    ExitWatch(int most) {
        this.most = most;
    }

    /** The one for those who are asked to end. */
    static ExitWatch shared() {
        return SHARED;
    }

    /**
     * Watches the process with this pidfd, which it then owns.
     *
     * @param gone told once, on a thread of the watch; must not block
     * @return for {@link #forget}; {@link #NOBODY} when it cannot be watched, and then the pidfd remains the caller's
     */
    synchronized long add(int handle, Runnable gone) {
        if (watched.size() >= most || !isOpen()) {
            return NOBODY;
        }
        long token = ++newest;
        watched.put(token, new Watched(handle, gone));
        if (!control(ADD, handle, token)) {
            watched.remove(token);
            return NOBODY;
        }
        return token;
    }

    /** Nobody waits for it any more. */
    synchronized void forget(long token) {
        Watched over = watched.remove(token);
        if (over != null) {
            release(over);
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
        } catch (RuntimeException | Error flaw) { // without it the ends of processes would go unseen
            giveUp(flaw.toString());
        }
    }

    /** False when it was the last one. */
    private boolean round() {
        byte[] events = new byte[LAYOUT.bytes() * AT_ONCE];
        int count = LibC.get().epoll_wait(group, events, AT_ONCE, IDLE_MILLIS);
        if (count < 0 && Native.getLastError() != INTERRUPTED) {
            giveUp("error " + Native.getLastError());
            return false;
        }
        ByteBuffer read = ByteBuffer.wrap(events).order(ByteOrder.nativeOrder());
        for (int event = 0; event < count; event++) {
            tell(LAYOUT.data(read, event));
        }
        return count != 0 || !endWhenIdle();
    }

    private void tell(long token) {
        Watched over;
        synchronized (this) {
            over = watched.remove(token);
            if (over != null) {
                release(over);
            }
        }
        if (over != null) {
            tell(over);
        }
    }

    /** Whoever waited may be closed by now, which concerns nobody else who is watched. */
    private static void tell(Watched over) {
        try {
            over.gone().run();
        } catch (RuntimeException | Error closed) {
            LOG.debug("the end of a process could not be reported", closed);
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
        LOG.warn("the ends of processes cannot be waited for, and are looked for: {}", why);
        List<Watched> all;
        synchronized (this) {
            all = new ArrayList<>(watched.values());
            watched.clear();
            all.forEach(this::release);
            close(group);
            group = NONE;
        }
        all.forEach(ExitWatch::tell);
    }

    private void release(Watched over) {
        if (!control(REMOVE, over.handle(), 0)) {
            LOG.trace("{} was not watched", over.handle());
        }
        close(over.handle());
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
