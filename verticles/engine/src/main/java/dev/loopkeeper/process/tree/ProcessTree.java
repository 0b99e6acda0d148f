package dev.loopkeeper.process.tree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All processes of one step, by session, process group, descent, nonce and control group. Whoever was found once stays a member for
 * as long as it lives, whatever becomes of its parents. Not thread-safe.
 */
public final class ProcessTree {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessTree.class);
    private static final long INIT = 1;
    private static final long NOBODY = -1;

    private final String nonce;
    private final Optional<Identity> leader;
    private final boolean watched;
    private final long self = ProcessHandle.current().pid();
    private final Map<Identity, String> known = new LinkedHashMap<>();
    private Optional<Cgroup> cgroup;
    private Optional<TreeRecord> record = Optional.empty();
    private boolean recalled;
    private Optional<IOException> unread = Optional.empty();
    private OptionalLong heldUntil = OptionalLong.empty();
    private Map<Identity, String> unmarked = Map.of();
    private Map<Identity, String> noted = Map.of();
    private Set<Identity> dead = Set.of();
    private boolean whole;

    /**
     * @param leader the agent, whose pid is the number of its session and group
     * @param watched whether this runtime saw the leader alive, so that its session's number cannot have passed on
     * @param cgroup holds the step's processes only
     */
    public ProcessTree(String nonce, Optional<Identity> leader, boolean watched, Optional<Cgroup> cgroup) {
        this.nonce = nonce;
        this.leader = leader;
        this.watched = watched;
        this.cgroup = cgroup;
    }

    /** Who was found to belong to it before, with how; a clock or a name that is used again does not make it another. */
    public ProcessTree knowing(Map<Identity, String> members) {
        known.putAll(members);
        return this;
    }

    /**
     * What is on record of it.
     *
     * @param before whether another runtime may have looked after it; only then is the record read, with the first look
     */
    public ProcessTree recorded(TreeRecord on, boolean before) {
        record = Optional.of(on);
        recalled = !before;
        return this;
    }

    /** Who of the step lives now, with how each was first found. Blocking. */
    Map<Identity, String> members(ProcessSnapshot snapshot, ProcFs processes) {
        unread = reading(this::recall);
        List<ProcessSnapshot.Seen> candidates = candidates(snapshot);
        ProcessSnapshot current = new ProcessSnapshot(candidates.stream()
                .flatMap(seen -> now(seen, processes).stream())
                .toList());
        whole = snapshot.whole() && !hasDied(candidates, current);
        unread = unread.or(() -> reading(() -> recogniseOutputs(current, processes)));
        return members(current);
    }

    /** Whether somebody who was listed alive has died since, perhaps after he forked. */
    private boolean hasDied(List<ProcessSnapshot.Seen> listed, ProcessSnapshot current) {
        Set<Identity> ended = new HashSet<>();
        listed.stream()
                .filter(seen -> seen.stat().living())
                .map(ProcessSnapshot.Seen::identity)
                .forEach(ended::add);
        current.processes().stream()
                .filter(seen -> seen.stat().living())
                .map(ProcessSnapshot.Seen::identity)
                .forEach(ended::remove);
        // Of who was dead before this look all children were there to be listed.
        boolean died = !dead.containsAll(ended);
        dead = ended;
        return died;
    }

    /** Whether nobody can have been missed by the last look. */
    boolean sawAll() {
        return whole;
    }

    /** What reads the record. */
    private interface Reading {
        void read() throws IOException;
    }

    /** A record that cannot be read keeps nobody alive who is known without it. */
    private Optional<IOException> reading(Reading part) {
        try {
            if (record.isPresent()) {
                part.read();
            }
            return Optional.empty();
        } catch (IOException trouble) {
            return Optional.of(trouble);
        } catch (IllegalStateException flaw) {
            LOG.error("what is on record of a step cannot be read", flaw);
            record = Optional.empty();
            return Optional.empty();
        }
    }

    /**
     * Throws {@link UncheckedIOException} when the record of it could not be read, so that there may be members who were
     * not found. Not where the agent is unknown: who looks for its tree all the same does so because nothing can be read. Nor
     * where the record may not be read, which does not pass by itself: all who are known without it are found.
     */
    void requireRecord() {
        if (isLed()
                && unread.filter(trouble -> !(trouble instanceof AccessDeniedException))
                        .isPresent()) {
            throw new UncheckedIOException(unread.get());
        }
    }

    private void recall() throws IOException {
        if (!recalled) {
            record.get().members().forEach(known::putIfAbsent);
            cgroup = record.get().enclosure().or(() -> cgroup);
            recalled = true;
        }
        if (!watched && heldUntil.isEmpty()) {
            heldUntil = record.get().leaderHeldUntil();
        }
    }

    /**
     * Nobody else prints into the logs of a step: whoever does so in a session with the leader's number is of that session.
     * Read only where the leader's end was not watched, since it costs.
     */
    private void recogniseOutputs(ProcessSnapshot current, ProcFs processes) throws IOException {
        if (watched || leader.isEmpty() || ownsSession(current)) {
            return;
        }
        List<Path> outputs = record.get().outputs();
        for (ProcessSnapshot.Seen seen : current.processes()) {
            if (seen.stat().session() == leader.get().pid()
                    && possible(seen)
                    && processes.writesInto(seen.identity(), outputs)) {
                known.putIfAbsent(seen.identity(), "output");
            }
        }
    }

    /**
     * Notes who of the members found last carries no mark, where there are such. A runtime that is killed before they are
     * gone leaves the note to the next one.
     */
    void note() throws IOException {
        if (record.isPresent() && !noted.keySet().containsAll(unmarked.keySet())) {
            record.get().noteMembers(unmarked);
            noted = unmarked;
        }
    }

    /**
     * Everyone of whom it must be known how they are now. The others are no members, whatever they did since they were
     * looked at: nobody can enter a session but by being born in it.
     */
    List<ProcessSnapshot.Seen> candidates(ProcessSnapshot snapshot) {
        Set<Long> enclosed = cgroup.map(Cgroup::members).orElse(Set.of());
        long number = leader.map(Identity::pid).orElse(NOBODY);
        return snapshot.index()
                .map(index -> index.family(number, nonce, known.keySet(), enclosed))
                .orElseGet(() -> walked(snapshot, number, enclosed));
    }

    private List<ProcessSnapshot.Seen> walked(ProcessSnapshot snapshot, long number, Set<Long> enclosed) {
        Set<Long> pids = new HashSet<>(enclosed);
        List<ProcessSnapshot.Seen> candidates = new ArrayList<>();
        List<ProcessSnapshot.Seen> others = new ArrayList<>(snapshot.processes().size());
        for (ProcessSnapshot.Seen seen : snapshot.processes()) {
            boolean concerned = concerned(seen, number)
                    || (!pids.isEmpty() && pids.contains(seen.stat().pid()));
            (concerned ? candidates : others).add(seen);
        }
        candidates.forEach(seen -> pids.add(seen.stat().pid()));
        boolean grown = !pids.isEmpty();
        while (grown) {
            List<ProcessSnapshot.Seen> children =
                    others.stream().filter(seen -> isChild(seen, pids)).toList();
            children.forEach(seen -> pids.add(seen.stat().pid()));
            grown = !children.isEmpty() && others.removeAll(Set.copyOf(children));
            candidates.addAll(children);
        }
        return candidates;
    }

    /** Whose session it is depends also on those who are no members. */
    private boolean concerned(ProcessSnapshot.Seen seen, long number) {
        ProcessStat stat = seen.stat();
        return stat.pid() == number
                || stat.session() == number
                || stat.group() == number
                || seen.carries(nonce)
                || (!known.isEmpty() && known.containsKey(seen.identity()));
    }

    private static boolean isChild(ProcessSnapshot.Seen seen, Set<Long> pids) {
        return pids.contains(seen.stat().parent()) || pids.contains(seen.bornOf());
    }

    /** Nothing when it is gone; another when its pid has passed on. */
    private Optional<ProcessSnapshot.Seen> now(ProcessSnapshot.Seen seen, ProcFs processes) {
        return processes.stat(seen.stat().pid()).map(stat -> {
            Identity identity = processes.identity(stat);
            if (!identity.equals(seen.identity())) {
                return new ProcessSnapshot.Seen(
                        identity, stat, processes.marks(stat.pid()).orElse(Map.of()));
            }
            Map<String, String> marks =
                    mayCarryByNow(seen) ? processes.marks(stat.pid()).orElse(seen.marks()) : seen.marks();
            return new ProcessSnapshot.Seen(identity, stat, marks, seen.bornOf());
        });
    }

    /** The agent was perhaps last looked at when it was not yet executed. */
    private boolean mayCarryByNow(ProcessSnapshot.Seen seen) {
        return leader.filter(seen.identity()::equals).isPresent() && !seen.carries(nonce);
    }

    /** Who of the step lives, with how each was first found. */
    Map<Identity, String> members(ProcessSnapshot snapshot) {
        List<ProcessSnapshot.Seen> candidates =
                snapshot.processes().stream().filter(this::possible).toList();
        boolean ownSession = ownsSession(snapshot);
        Map<Identity, String> living = new LinkedHashMap<>();
        for (ProcessSnapshot.Seen seen : candidates) {
            claim(seen, ownSession).ifPresent(how -> living.put(seen.identity(), how));
        }
        addDescendants(candidates, living);
        addEnclosed(candidates, living);
        known.putAll(living);
        unmarked = unmarked(candidates, living);
        return living;
    }

    private Map<Identity, String> unmarked(List<ProcessSnapshot.Seen> candidates, Map<Identity, String> living) {
        Map<Identity, String> found = new LinkedHashMap<>();
        for (ProcessSnapshot.Seen seen : candidates) {
            String how = living.get(seen.identity());
            if (how != null && !seen.carries(nonce)) {
                found.put(seen.identity(), how);
            }
        }
        return found;
    }

    /** Whether the agent is known, so that all others of the step carry its nonce from their beginning, if ever. */
    boolean isLed() {
        return leader.isPresent();
    }

    /** Nobody who began before this is a member. */
    long sinceTicks() {
        return leader.map(Identity::startTicks).orElse(0L);
    }

    /** Whether the kernel itself says that nobody is left whom the agent has started. */
    boolean deserted() {
        return cgroup.map(Cgroup::deserted).orElse(false);
    }

    /** The last rung, for whoever multiplies faster than it is found. */
    boolean killEnclosed() {
        return cgroup.map(Cgroup::kill).orElse(false);
    }

    private void addEnclosed(List<ProcessSnapshot.Seen> candidates, Map<Identity, String> living) {
        if (candidates.isEmpty()) {
            return;
        }
        Set<Long> enclosed = cgroup.map(Cgroup::members).orElse(Set.of());
        candidates.stream()
                .filter(seen -> enclosed.contains(seen.stat().pid()))
                .forEach(seen -> living.putIfAbsent(seen.identity(), "cgroup"));
    }

    private boolean possible(ProcessSnapshot.Seen seen) {
        return seen.stat().living()
                && seen.stat().pid() != self
                && seen.stat().pid() != INIT
                && leader.map(first -> seen.stat().startTicks() >= first.startTicks())
                        .orElse(true);
    }

    private Optional<String> claim(ProcessSnapshot.Seen seen, boolean ownSession) {
        String before = known.get(seen.identity());
        if (before != null) {
            return Optional.of(before);
        }
        if (ownSession && leader.isPresent()) {
            long number = leader.get().pid();
            if (seen.stat().group() == number) {
                return Optional.of("group");
            }
            if (seen.stat().session() == number) {
                return Optional.of("session");
            }
        }
        return seen.carries(nonce) ? Optional.of("nonce") : Optional.empty();
    }

    /**
     * Whether the session with the leader's number is still the leader's: it is while somebody lives in it who is known to
     * be the leader's, and right after a watched leader's end as long as nobody else has its pid. The kernel gives nobody a
     * pid that is the number of a session in which somebody lives.
     */
    private boolean ownsSession(ProcessSnapshot snapshot) {
        if (leader.isEmpty()) {
            return false;
        }
        long number = leader.get().pid();
        boolean ownWithin = snapshot.processes().stream()
                .filter(seen -> seen.stat().session() == number)
                .anyMatch(seen -> seen.carries(nonce) || known.containsKey(seen.identity()) || bornInTime(seen));
        boolean passedOn = snapshot.processes().stream()
                .filter(seen -> seen.stat().pid() == number)
                .anyMatch(seen -> !seen.identity().equals(leader.get()));
        return ownWithin || (watched && !passedOn);
    }

    /** Whoever was born into the session while the leader had its number was born into the leader's. */
    private boolean bornInTime(ProcessSnapshot.Seen seen) {
        return heldUntil.isPresent()
                && seen.identity().bootId().equals(leader.orElseThrow().bootId())
                && possible(seen)
                && seen.stat().startTicks() <= heldUntil.getAsLong();
    }

    private static void addDescendants(List<ProcessSnapshot.Seen> candidates, Map<Identity, String> living) {
        Set<Long> pids = new HashSet<>();
        living.keySet().forEach(member -> pids.add(member.pid()));
        boolean grown = !pids.isEmpty();
        while (grown) {
            grown = false;
            for (ProcessSnapshot.Seen seen : candidates) {
                if (isChild(seen, pids) && pids.add(seen.stat().pid())) {
                    living.put(seen.identity(), "descendant");
                    grown = true;
                }
            }
        }
    }
}
