package dev.loopkeeper.process.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Remembers the processes of the machine, so that a look costs by who is new and not by who lives. Reads anew who has
 * lost a parent; of everyone else it remembers what only that process itself can change: that it left its session,
 * became another's group, executed another program or died. Who does so does not enter the tree of a step by it, so that
 * all who matter are found by what is remembered; {@link ProcessTree#members} then reads those anew.
 *
 * <p>Blocking; for one thread at a time.
 */
final class ProcessTable {
    /** One process, or one of the kernel's, of which nothing is told. */
    private static final class Known {
        private final ProcEntry entry;
        private final ProcessStat stat;
        private final Identity identity;
        /** Nothing as long as they could not be read. */
        private Optional<Map<String, String>> marks = Optional.empty();
        /** Whether they could not be read before: it may not be seen, or was about to end and cannot have forked since. */
        private boolean silent;

        private Known parent;
        private long seenAt;
        /** As it is told, until any of it changes. */
        private ProcessSnapshot.Seen told;

        Known(ProcEntry entry, ProcessStat stat, Identity identity) {
            this.entry = entry;
            this.stat = stat;
            this.identity = identity;
        }

        boolean carries() {
            return marks.filter(known -> known.containsKey(StepEnvironment.NONCE))
                    .isPresent();
        }

        /** Whether the parent that was read is still there. */
        boolean hasParentAt(long look) {
            return stat.parent() == 0 || (parent != null && parent.seenAt == look);
        }
    }

    /** Each takes a fraction of a millisecond; on a machine where that many in a row are disturbed something multiplies. */
    static final int MOST_LISTINGS = 10;
    /** How many are looked for by their numbers at most, and how often: each time fewer, as long as reading is quicker than forking. */
    private static final long MOST_BORN = 1000;

    private static final int MOST_ROUNDS = 20;

    private final ProcFs processes;
    private final ProcListing listing = new ProcListing();
    private final Map<Long, Known> known = new HashMap<>();
    private long look;
    /** Whether somebody ended before he was read: who was born of him by then is in no list so far. */
    private boolean ended;
    /** Whether the marks of somebody who lives could not be read, so that whose he is was not seen. */
    private boolean unmarked;

    ProcessTable(ProcFs processes) {
        this.processes = processes;
    }

    /**
     * Who is there now. Whoever ends after he was listed and before he was read may have forked meanwhile, and his child is
     * not in the list: then those are looked at who were born since, by the numbers that the kernel gives one after the
     * other, until none of them has ended. Where these cannot be known it is listed again, a few times.
     *
     * @param sinceTicks of processes that started before this the marks may be missing
     * @param thorough whether whoever carried no mark is read again: it may have been about to execute what does. Whoever
     *     was launched by one that carries is a carrier from the beginning
     */
    ProcessSnapshot look(long sinceTicks, boolean thorough) {
        List<Known> there = there(sinceTicks, thorough);
        for (int listings = 1; isDisturbed() && listings < MOST_LISTINGS; listings++) {
            there = there(sinceTicks, thorough);
        }
        List<ProcessSnapshot.Seen> seen = there.stream().map(ProcessTable::told).toList();
        return new ProcessSnapshot(seen, Optional.empty(), !isDisturbed());
    }

    private boolean isDisturbed() {
        return ended || unmarked;
    }

    /** All but the kernel's, with their parents of now and their marks. */
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

    /** Who was born since this was the newest, and is not yet seen. */
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

    /** Looks at those, and tells how many of them are there. */
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
        // Only now: a parent may stand behind its child.
        for (Known process : there) {
            if (process.parent == null) {
                findParent(process);
            }
        }
        return there;
    }

    private static boolean isSame(Known before, ProcEntry entry) {
        // Not by equals of records, which costs much: this is asked for each process of the machine.
        return before != null && entry.instance() != ProcEntry.UNKNOWN && before.entry.instance() == entry.instance();
    }

    /** Null when it is gone. */
    private Known read(ProcEntry entry) {
        Optional<Known> read =
                processes.stat(entry.pid()).map(stat -> new Known(entry, stat, processes.identity(stat)));
        Known before = known.get(entry.pid());
        if (before != null && read.isPresent() && read.get().identity.equals(before.identity)) {
            // Once a carrier, always a carrier: an exec with a cleared environment does not change whose process it is.
            read.get().marks = before.marks;
            read.get().silent = before.silent;
        }
        ended |= read.map(now -> !now.stat.living() && !wasDead(before, now))
                .orElseGet(() -> !processes.hides(entry.pid()));
        read.ifPresentOrElse(now -> known.put(entry.pid(), now), () -> known.remove(entry.pid()));
        return read.orElse(null);
    }

    /** Then it was so before it was listed. */
    private static boolean wasDead(Known before, Known now) {
        return before != null && !before.stat.living() && before.identity.equals(now.identity);
    }

    private void findParent(Known child) {
        Known parent = known.get(child.stat.parent());
        child.parent = parent != null && parent.seenAt == look ? parent : null;
        child.told = null;
    }

    /** As it is now: it has another parent, or its parent was not seen, or it is dead. Null when it is gone. */
    private Known again(Known process) {
        Known now = read(process.entry);
        if (now != null) {
            now.seenAt = look;
            findParent(now);
        }
        return now;
    }

    /**
     * With its marks, unless they cannot be read. Whoever ends before that was perhaps a carrier: then as {@link #again}. So
     * was who has given its memory back already, though it still counts as alive.
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
        process.told = null;
        return process;
    }

    private static ProcessSnapshot.Seen told(Known process) {
        if (process.told == null) {
            long bornOf = process.parent == null ? 0 : process.parent.stat.pid();
            process.told =
                    new ProcessSnapshot.Seen(process.identity, process.stat, process.marks.orElse(Map.of()), bornOf);
        }
        return process.told;
    }
}
