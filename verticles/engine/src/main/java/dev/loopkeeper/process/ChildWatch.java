package dev.loopkeeper.process;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import dev.loopkeeper.work.EpollEvents;
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
 * Hears what children tell, and waits for exactly them when they end: one thread for all of them, which is there while
 * they are. A child whose handle cannot be had, or a wait that fails, is no silence: then they are asked ten times a
 * second. Thread-safe.
 */
final class ChildWatch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ChildWatch.class);
    private static final ChildWatch SHARED = new ChildWatch(LibC::get);

    private static final int CLOSE_ON_EXEC = 02000000;
    private static final int ADD = 1;
    private static final int REMOVE = 2;
    private static final int READABLE = 1;
    private static final int NO_HANG = 1;
    private static final int INTERRUPTED = 4;
    private static final int AGAIN = 11;
    private static final long PIDFD_OPEN = 434;
    private static final int AT_ONCE = 64;
    private static final int PIECE = 4096;
    private static final int IDLE_MILLIS = 5_000;
    private static final int ASK_EVERY_MILLIS = 100;
    private static final long STACK_BYTES = 256L << 10;

    /** Of the C library, loaded with the first child. */
    interface Calls {
        LibC get();
    }

    private final Calls calls;
    private final EpollEvents layout = EpollEvents.ofThisMachine();
    private final byte[] piece = new byte[PIECE];
    private final Map<Integer, SpawnedChild> children = new HashMap<>();
    private final Map<Integer, SpawnedChild> unwatched = new HashMap<>();
    private int newest;
    private int group = SpawnedChild.NONE;
    private boolean running;
    private boolean troubled;

    ChildWatch(Calls calls) {
        this.calls = calls;
    }

    /** The one of this process. */
    static ChildWatch shared() {
        return SHARED;
    }

    /** Whether this kernel tells of the end of a process by a handle. */
    boolean works() {
        int self = handle((int) ProcessHandle.current().pid());
        if (self >= 0) {
            close(self);
        }
        return self >= 0;
    }

    /** Looks after it from now on. Never fails: what cannot be watched is asked. */
    synchronized void add(SpawnedChild child) {
        int token = ++newest;
        children.put(token, child);
        if (!watch(token, child)) {
            unwatched.put(token, child);
            LOG.warn("child {} cannot be watched, and is asked until it can be", child.pid);
        }
        if (!running) {
            running = true;
            Thread thread = new Thread(null, this, "loopkeeper-children", STACK_BYTES);
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Override
    public void run() {
        boolean more = true;
        while (more) {
            try {
                more = round();
            } catch (RuntimeException | Error flaw) {
                trouble(flaw.toString());
            }
        }
    }

    /** False when it was the last one: whoever is added from then on has a thread of their own. */
    private boolean round() {
        if (troubled) {
            askAll();
        }
        byte[] events = new byte[layout.bytes() * AT_ONCE];
        int waited = group();
        int count = waited < 0 ? waited : calls.get().epoll_wait(waited, events, AT_ONCE, patience());
        if (count < 0 && (waited < 0 || Native.getLastError() != INTERRUPTED)) {
            trouble("error " + Native.getLastError());
        }
        ByteBuffer read = ByteBuffer.wrap(events).order(ByteOrder.nativeOrder());
        for (int event = 0; event < count; event++) {
            happened(layout.data(read, event));
        }
        if (count >= 0) {
            troubled = false;
        }
        askUnwatched();
        return count > 0 || !endWhenIdle();
    }

    private void trouble(String what) {
        if (!troubled) {
            troubled = true;
            LOG.warn("children cannot be waited for, and are asked until they can be: {}", what);
        }
        try {
            Thread.sleep(ASK_EVERY_MILLIS);
        } catch (InterruptedException nobodyDoes) {
            LOG.debug("interrupted", nobodyDoes);
        }
    }

    private synchronized int group() {
        if (group < 0) {
            group = calls.get().epoll_create1(CLOSE_ON_EXEC);
        }
        return group;
    }

    private synchronized int patience() {
        return unwatched.isEmpty() ? IDLE_MILLIS : ASK_EVERY_MILLIS;
    }

    private synchronized boolean endWhenIdle() {
        if (!children.isEmpty()) {
            return false;
        }
        if (group >= 0) {
            close(group);
        }
        group = SpawnedChild.NONE;
        running = false;
        return true;
    }

    private void happened(long data) {
        int token = (int) (data >> 1);
        SpawnedChild child = child(token);
        if (child == null) {
            return;
        }
        hear(child);
        if ((data & 1) == 1 && !waitFor(token, child)) {
            // Its handle says gone and the kernel says not yet: not to be told so again and again.
            synchronized (this) {
                unwatch(child);
                unwatched.put(token, child);
            }
        }
    }

    private synchronized SpawnedChild child(int token) {
        return children.get(token);
    }

    private synchronized List<Map.Entry<Integer, SpawnedChild>> copy(Map<Integer, SpawnedChild> some) {
        return new ArrayList<>(some.entrySet().stream()
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList());
    }

    private void askAll() {
        copy(children).forEach(entry -> ask(entry.getKey(), entry.getValue()));
    }

    private void askUnwatched() {
        copy(unwatched).forEach(entry -> {
            if (!ask(entry.getKey(), entry.getValue())) {
                rewatch(entry.getKey(), entry.getValue());
            }
        });
    }

    @CanIgnoreReturnValue
    private boolean ask(int token, SpawnedChild child) {
        hear(child);
        return waitFor(token, child);
    }

    private synchronized void rewatch(int token, SpawnedChild child) {
        if (child.handle < 0 && watch(token, child)) {
            unwatched.remove(token);
        }
    }

    /** Whether its end and its line will be told. */
    private boolean watch(int token, SpawnedChild child) {
        int waited = group();
        if (waited < 0) {
            return false;
        }
        int handle = handle(child.pid);
        if (handle < 0) {
            return false;
        }
        boolean hears = child.output < 0 || control(waited, ADD, child.output, (long) token << 1);
        if (!hears || !control(waited, ADD, handle, (long) token << 1 | 1)) {
            if (hears && child.output >= 0) {
                forget(child.output);
            }
            close(handle);
            return false;
        }
        child.handle = handle;
        return true;
    }

    private void unwatch(SpawnedChild child) {
        if (child.handle >= 0) {
            forget(child.handle);
            close(child.handle);
            child.handle = SpawnedChild.NONE;
        }
    }

    /** Before it is closed: a child that is just being born may still hold it open, and its events would go on. */
    private void forget(int descriptor) {
        if (!control(group, REMOVE, descriptor, 0)) {
            LOG.trace("{} was not watched", descriptor);
        }
    }

    private boolean control(int waited, int operation, int descriptor, long data) {
        return calls.get().epoll_ctl(waited, operation, descriptor, layout.event(READABLE, data)) == 0;
    }

    private int handle(int pid) {
        return calls.get().syscall(new NativeLong(PIDFD_OPEN), pid, 0).intValue();
    }

    /** Its pipe does not block. On the thread of the watch. */
    private void hear(SpawnedChild child) {
        while (child.output >= 0) {
            int length = calls.get()
                    .read(child.output, piece, new NativeLong(piece.length))
                    .intValue();
            int error = length < 0 ? Native.getLastError() : 0;
            if (error == AGAIN || error == INTERRUPTED) {
                return;
            }
            if (length <= 0 || !child.hear(piece, length)) {
                closeOutput(child);
                child.tellLine();
            }
        }
    }

    private synchronized void closeOutput(SpawnedChild child) {
        if (child.output >= 0) {
            forget(child.output);
            close(child.output);
            child.output = SpawnedChild.NONE;
        }
    }

    /** Whether it is gone; then nothing of it is left here. */
    private boolean waitFor(int token, SpawnedChild child) {
        // What fails here is that there is no such child: somebody told the kernel that ends do not matter.
        if (calls.get().waitpid(child.pid, new int[1], NO_HANG) == 0) {
            return false;
        }
        synchronized (this) {
            if (children.remove(token) == null) {
                return true;
            }
            unwatched.remove(token);
            unwatch(child);
            closeOutput(child);
            if (child.input >= 0) {
                close(child.input);
            }
        }
        child.tellGone();
        return true;
    }

    private void close(int descriptor) {
        if (calls.get().close(descriptor) != 0) {
            LOG.debug("descriptor {} could not be closed", descriptor);
        }
    }
}
