package dev.loopkeeper.process.tree;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Waits for those of one tree who are about to end. Thread-safe. */
final class Departures {
    private final ExitWatch watch;
    private final Runnable lastOneGone;
    private final Map<Identity, Long> awaited = new ConcurrentHashMap<>();

    /** @param lastOneGone told on another thread when nobody is awaited any more; must not block */
    Departures(ExitWatch watch, Runnable lastOneGone) {
        this.watch = watch;
        this.lastOneGone = lastOneGone;
    }

    /** Awaits it, once; answers whether the pidfd is kept for that. */
    boolean await(Identity member, int handle) {
        if (awaited.putIfAbsent(member, ExitWatch.NOBODY) != null) {
            return false;
        }
        long token = watch.add(handle, () -> gone(member));
        if (token == ExitWatch.NOBODY) {
            awaited.remove(member);
        } else {
            // It may be gone already.
            awaited.computeIfPresent(member, (same, none) -> token);
        }
        return token != ExitWatch.NOBODY;
    }

    private void gone(Identity member) {
        awaited.remove(member);
        if (awaited.isEmpty()) {
            lastOneGone.run();
        }
    }

    boolean isAwaited(Identity member) {
        return awaited.containsKey(member);
    }

    /** Awaits nobody any more. */
    void close() {
        awaited.values().forEach(watch::forget);
        awaited.clear();
    }
}
