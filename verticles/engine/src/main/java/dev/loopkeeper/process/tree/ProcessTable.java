package dev.loopkeeper.process.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Reads the processes of the machine, and remembers their marks: a marked process stays marked after an exec with a
 * cleared environment.
 *
 * <p>Blocks; for one thread at a time.
 */
final class ProcessTable {
    /** A process or kernel thread. */
    private static final class Known {
        private final ProcessStat stat;
        private final Identity identity;
        /** Empty until they could be read. */
        private Optional<Map<String, String>> marks = Optional.empty();
        /**
         * Whether they were unreadable before: the process is invisible, or was about to end and cannot have forked
         * since.
         */
        private boolean silent;

        private Known parent;

        Known(ProcessStat stat, Identity identity) {
            this.stat = stat;
            this.identity = identity;
        }

        boolean carries() {
            return marks.filter(known -> known.containsKey(StepEnvironment.NONCE))
                    .isPresent();
        }

        /** Returns whether its parent was there when it was read. */
        boolean hasParent() {
            return stat.parent() == 0 || parent != null;
        }

        ProcessSnapshot.Seen view() {
            long bornOf = parent == null ? 0 : parent.stat.pid();
            return new ProcessSnapshot.Seen(identity, stat, marks.orElse(Map.of()), bornOf);
        }
    }

    /** Each takes some milliseconds; if that many in a row are disturbed, processes multiply. */
    static final int MOST_LISTINGS = 10;
    /**
     * Limits the search for new processes by number, and its rounds. Each round finds fewer, as long as reading is
     * faster than forking.
     */
    private static final long MOST_BORN = 1000;

    private static final int MOST_ROUNDS = 20;

    private final ProcFs processes;
    /** The processes of the last complete listing. */
    private Map<Long, Known> before = Map.of();
    /** The processes of the present listing. */
    private Map<Long, Known> known = new HashMap<>();
    /** Whether a process ended before it was read; its children may be missing. */
    private boolean ended;
    /** Whether the marks of a living process were unreadable, so that its tree is unknown. */
    private boolean unmarked;

    ProcessTable(ProcFs processes) {
        this.processes = processes;
    }

    /**
     * Returns the present processes. A process that ends after the listing may have forked an unlisted child. Then
     * processes with newer numbers are read, until none of them has ended. If the numbers are unknown, it lists again,
     * a few times.
     *
     * @param sinceTicks marks of processes that started before may be missing
     * @param thorough whether to read processes without a mark again, since they may have executed a marked program.
     *     Children of marked processes are marked from the beginning
     */
    ProcessSnapshot look(long sinceTicks, boolean thorough) {
        List<Known> there = there(sinceTicks, thorough);
        for (int listings = 1; isDisturbed() && listings < MOST_LISTINGS; listings++) {
            there = there(sinceTicks, thorough);
        }
        List<ProcessSnapshot.Seen> seen = there.stream().map(Known::view).toList();
        return new ProcessSnapshot(seen, !isDisturbed());
    }

    private boolean isDisturbed() {
        return ended || unmarked;
    }

    /** Returns all except kernel threads, with their present parents and marks. */
    private List<Known> there(long sinceTicks, boolean thorough) {
        known = new HashMap<>();
        unmarked = false;
        OptionalLong newest = processes.newestPid();
        List<Known> there = new ArrayList<>(before.size());
        add(processes.pids(), sinceTicks, thorough, there);
        for (int rounds = 0; ended && newest.isPresent() && rounds < MOST_ROUNDS; rounds++) {
            OptionalLong seen = newest;
            newest = processes.newestPid().stream()
                    .filter(now -> now >= seen.getAsLong() && now - seen.getAsLong() <= MOST_BORN)
                    .findFirst();
            if (newest.isPresent()) {
                add(born(seen.getAsLong(), newest.getAsLong()), sinceTicks, thorough, there);
            }
        }
        before = known;
        return there;
    }

    /** Returns unread processes with newer numbers. */
    private List<Long> born(long newest, long now) {
        return LongStream.rangeClosed(newest + 1, now)
                .filter(pid -> !known.containsKey(pid) && !processes.isThread(pid))
                .boxed()
                .toList();
    }

    /** Reads these processes. */
    private void add(List<Long> pids, long sinceTicks, boolean thorough, List<Known> there) {
        ended = false;
        for (Known process : listed(pids)) {
            Known current = process.hasParent() ? process : again(process);
            if (current != null && !current.stat.ofKernel()) {
                current = marked(current, sinceTicks, thorough);
            }
            if (current != null && !current.stat.ofKernel()) {
                there.add(current);
            }
        }
    }

    private List<Known> listed(List<Long> pids) {
        List<Known> there = new ArrayList<>(pids.size());
        for (long pid : pids) {
            Known now = read(pid);
            if (now != null) {
                there.add(now);
            }
        }
        // Only now, because a parent may be listed after its child.
        there.forEach(this::findParent);
        return there;
    }

    /** Returns null if it is gone. */
    private Known read(long pid) {
        Optional<Known> read = processes.stat(pid).map(stat -> new Known(stat, processes.identity(stat)));
        Known earlier = known.getOrDefault(pid, before.get(pid));
        if (earlier != null && read.isPresent() && read.get().identity.equals(earlier.identity)) {
            // A marked process stays marked: an exec with a cleared environment does not change its tree.
            read.get().marks = earlier.marks;
            read.get().silent = earlier.silent;
        }
        ended |= read.map(now -> !now.stat.living() && !wasDead(earlier, now)).orElseGet(() -> !processes.hides(pid));
        read.ifPresentOrElse(now -> known.put(pid, now), () -> known.remove(pid));
        return read.orElse(null);
    }

    /** Returns whether it was dead before the listing. */
    private static boolean wasDead(Known earlier, Known now) {
        return earlier != null && !earlier.stat.living() && earlier.identity.equals(now.identity);
    }

    private void findParent(Known child) {
        child.parent = known.get(child.stat.parent());
    }

    /** Reads a process again that has another or unseen parent, or is dead. Returns null if it is gone. */
    private Known again(Known process) {
        Known now = read(process.stat.pid());
        if (now != null) {
            findParent(now);
        }
        return now;
    }

    /**
     * Reads its marks if needed. A process that ended before may have been marked and is read {@link #again}; so is one
     * that has released its memory but still looks alive.
     */
    private Known marked(Known process, long sinceTicks, boolean thorough) {
        boolean unread = process.marks.isEmpty() || (thorough && !process.carries());
        if (!unread || !process.stat.living() || process.stat.startTicks() < sinceTicks) {
            return process;
        }
        Optional<Map<String, String>> marks = processes.marks(process.stat.pid());
        if (marks.isEmpty() && !processes.living(process.identity)) {
            return again(process);
        }
        unmarked |= marks.isEmpty() && !process.silent && !processes.keepsMarks(process.stat.pid());
        process.silent = marks.isEmpty();
        process.marks = marks.or(() -> process.marks);
        return process;
    }
}
