package dev.loopkeeper.process.tree;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells of the end of agents whom an earlier runtime launched: they are no children of this one, to whom the kernel would
 * tell it by itself, and to look at each ten times a second costs a processor where a thousand live. Apart from those who
 * are asked to end, whose places they would take. Thread-safe.
 */
public final class AdoptedExits {
    /** Each takes a descriptor, as each child does; whoever is beyond it is looked for by the clock. */
    private static final int MOST = 2048;

    private static final ExitWatch WATCH = new ExitWatch(MOST);

    private AdoptedExits() {}

    /**
     * Watches exactly this process. Blocking, but short.
     *
     * @param gone told once, on another thread, when it is worth a look: it has ended, or cannot be watched any longer; must
     *     not block
     * @return what ends the watch, also one that has told; absent where it cannot be watched, or has ended
     */
    public static Optional<Runnable> watch(Signals signals, Identity process, Runnable gone) {
        AtomicLong token = new AtomicLong(ExitWatch.NOBODY);
        boolean watched = signals.hold(process, handle -> {
            token.set(WATCH.add(handle, gone));
            return token.get() != ExitWatch.NOBODY;
        });
        return watched ? Optional.of(() -> WATCH.forget(token.get())) : Optional.empty();
    }
}
