package dev.loopkeeper.process.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Caches the processes of the machine, so that a scan costs by the number of new processes. It reads a process again if
 * it has lost its parent. Cached are attributes that only the process itself can change: session, group, program,
 * death. Such a change never makes a process a member of a step's tree, so the cache finds all candidates;
 * {@link ProcessTree#members} reads those again.
 *
 * <p>Blocks; for one thread at a time.
 */
final class ProcessTable {
    /** A process or kernel thread. */
    private static final class Known {
        private final ProcEntry entry;
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
        private long seenAt;
        /** Cached view for snapshots; null after a change. */
        private ProcessSnapshot.Seen view;

        Known(ProcEntry entry, ProcessStat stat, Identity identity) {
            this.entry = entry;
            this.stat = stat;
            this.identity = identity;
        }

        boolean carries() {
            return marks.filter(known -> known.containsKey(StepEnvironment.NONCE))
                    .isPresent();
        }

        /** Returns whether its recorded parent still exists. */
        boolean hasParentAt(long look) {
            return stat.parent() == 0 || (parent != null && parent.seenAt == look);
        }
    }

    /** Each takes a fraction of a millisecond; if that many in a row are disturbed, processes multiply. */
    static final int MOST_LISTINGS = 10;
    /**
     * Limits the search for new processes by number, and its rounds. Each round finds fewer, as long as reading is
     * faster than forking.
     */
    private static final long MOST_BORN = 1000;

    private static final int MOST_ROUNDS = 20;

    private final ProcFs processes;
    private final ProcListing listing = new ProcListing();
    private final Map<Long, Known> known = new HashMap<>();
    private long look;
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
        List<ProcessSnapshot.Seen> seen = there.stream().map(ProcessTable::view).toList();
        return new ProcessSnapshot(seen, !isDisturbed());
    }

    private boolean isDisturbed() {
        return ended || unmarked;
    }

    /** Returns all except kernel threads, with their present parents and marks. */
    private List<Known> there(long sinceTicks, boolean thorough) {
        look++;
        unmarked = false;
        OptionalLong newest = processes.newestPid();
        List<Known> there = new ArrayList<>(known.size());
        int all = add(listing.entries(), sinceTicks, thorough, there);
        for (int rounds = 0; ended && newest.isPresent() && rounds < MOST_ROUNDS; rounds++) {
            OptionalLong seen = newest;
            newest = processes.newestPid().stream()
                    .filter(now -> now >= seen.getAsLong() && now - seen.getAsLong() <= MOST_BORN)
                    .findFirst();
            if (newest.isPresent()) {
                all += add(born(seen.getAsLong(), newest.getAsLong()), sinceTicks, thorough, there);
            }
        }
        if (known.size() > all) {
            known.values().removeIf(process -> process.seenAt != look);
        }
        return there;
    }

    /** Returns unread processes with newer numbers. */
    private List<ProcEntry> born(long newest, long now) {
        return LongStream.rangeClosed(newest + 1, now)
                .filter(pid -> !isSeen(pid) && !processes.isThread(pid))
                .mapToObj(pid -> new ProcEntry(pid, ProcEntry.UNKNOWN))
                .toList();
    }

    private boolean isSeen(long pid) {
        Known before = known.get(pid);
        return before != null && before.seenAt == look;
    }

    /** Reads these processes and returns how many exist. */
    private int add(List<ProcEntry> entries, long sinceTicks, boolean thorough, List<Known> there) {
        ended = false;
        List<Known> listed = listed(entries);
        for (Known process : listed) {
            Known current = process.hasParentAt(look) ? process : again(process);
            if (current != null && !current.stat.ofKernel()) {
                current = marked(current, sinceTicks, thorough);
            }
            if (current != null && !current.stat.ofKernel()) {
                there.add(current);
            }
        }
        return listed.size();
    }

    private List<Known> listed(List<ProcEntry> entries) {
        List<Known> there = new ArrayList<>(entries.size());
        for (ProcEntry entry : entries) {
            Known before = known.get(entry.pid());
            Known now = isSame(before, entry) ? before : read(entry);
            if (now != null) {
                now.seenAt = look;
                there.add(now);
            }
        }
        // Only now, because a parent may be listed after its child.
        for (Known process : there) {
            if (process.parent == null) {
                findParent(process);
            }
        }
        return there;
    }

    private static boolean isSame(Known before, ProcEntry entry) {
        // Compares a number instead of records, because this is called for each process.
        return before != null && entry.instance() != ProcEntry.UNKNOWN && before.entry.instance() == entry.instance();
    }

    /** Returns null if it is gone. */
    private Known read(ProcEntry entry) {
        Optional<Known> read =
                processes.stat(entry.pid()).map(stat -> new Known(entry, stat, processes.identity(stat)));
        Known before = known.get(entry.pid());
        if (before != null && read.isPresent() && read.get().identity.equals(before.identity)) {
            // A marked process stays marked: an exec with a cleared environment does not change its tree.
            read.get().marks = before.marks;
            read.get().silent = before.silent;
        }
        ended |= read.map(now -> !now.stat.living() && !wasDead(before, now))
                .orElseGet(() -> !processes.hides(entry.pid()));
        read.ifPresentOrElse(now -> known.put(entry.pid(), now), () -> known.remove(entry.pid()));
        return read.orElse(null);
    }

    /** Returns whether it was dead before the listing. */
    private static boolean wasDead(Known before, Known now) {
        return before != null && !before.stat.living() && before.identity.equals(now.identity);
    }

    private void findParent(Known child) {
        Known parent = known.get(child.stat.parent());
        child.parent = parent != null && parent.seenAt == look ? parent : null;
        child.view = null;
    }

    /** Reads a process again that has another or unseen parent, or is dead. Returns null if it is gone. */
    private Known again(Known process) {
        Known now = read(process.entry);
        if (now != null) {
            now.seenAt = look;
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
        process.view = null;
        return process;
    }

    private static ProcessSnapshot.Seen view(Known process) {
        if (process.view == null) {
            long bornOf = process.parent == null ? 0 : process.parent.stat.pid();
            process.view =
                    new ProcessSnapshot.Seen(process.identity, process.stat, process.marks.orElse(Map.of()), bornOf);
        }
        return process.view;
    }
}
