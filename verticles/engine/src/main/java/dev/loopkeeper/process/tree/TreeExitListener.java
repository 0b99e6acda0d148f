package dev.loopkeeper.process.tree;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Waits for the exit of signalled processes of one tree. Thread-safe. */
final class TreeExitListener {
    private final ExitWatch watch;
    private final Runnable allEnded;
    private final Map<Identity, Long> awaited = new ConcurrentHashMap<>();

    /** @param allEnded called on another thread when no awaited process is left; must not block */
    TreeExitListener(ExitWatch watch, Runnable allEnded) {
        this.watch = watch;
        this.allEnded = allEnded;
    }

    /** Awaits a process, once. Returns whether the pidfd is kept for that. */
    boolean await(Identity member, int handle) {
        if (awaited.putIfAbsent(member, ExitWatch.NOT_WATCHED) != null) {
            return false;
        }
        long token = watch.add(handle, () -> ended(member));
        if (token == ExitWatch.NOT_WATCHED) {
            awaited.remove(member);
        } else {
            // The process may have ended already.
            awaited.computeIfPresent(member, (same, none) -> token);
        }
        return token != ExitWatch.NOT_WATCHED;
    }

    private void ended(Identity member) {
        awaited.remove(member);
        if (awaited.isEmpty()) {
            allEnded.run();
        }
    }

    boolean isAwaited(Identity member) {
        return awaited.containsKey(member);
    }

    /** Stops waiting. */
    void close() {
        awaited.values().forEach(watch::forget);
        awaited.clear();
    }
}
