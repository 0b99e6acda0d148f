package dev.loopkeeper.process.tree;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All processes of one step, by session, process group, descent, nonce and control group. A process that was found once
 * stays a member while it lives, whatever happens to its parents. Not thread-safe.
 */
public final class ProcessTree {
    private static final long INIT = 1;
    private static final long NO_PID = -1;

    private final String nonce;
    private final Optional<Identity> leader;
    private final boolean watched;
    private final long self = ProcessHandle.current().pid();
    private final Map<Identity, String> known = new LinkedHashMap<>();
    private Optional<Cgroup> cgroup;
    private final RecordAccess record = new RecordAccess();
    private boolean recalled;
    private OptionalLong heldUntil = OptionalLong.empty();
    private Map<Identity, String> unmarked = Map.of();
    private Set<Identity> dead = Set.of();
    private boolean whole;
    private Optional<String> sandbox = Optional.empty();

    /**
     * @param leader the agent, whose pid is the number of its session and group
     * @param watched whether this runtime saw the leader alive, so that its session number cannot have been reused
     * @param cgroup contains processes of the step only
     */
    public ProcessTree(String nonce, Optional<Identity> leader, boolean watched, Optional<Cgroup> cgroup) {
        this.nonce = nonce;
        this.leader = leader;
        this.watched = watched;
        this.cgroup = cgroup;
    }

    /**
     * Adds members found before, with how each was found. They stay members even if clocks change or names are reused.
     */
    public ProcessTree knowing(Map<Identity, String> members) {
        known.putAll(members);
        return this;
    }

    /**
     * Sets the record of the tree.
     *
     * @param before whether an earlier runtime may have written it; only then the first scan reads it
     */
    public ProcessTree recorded(TreeRecord on, boolean before) {
        record.use(on);
        recalled = !before;
        return this;
    }

    /** Returns the living members, with how each was first found. Blocks. */
    Map<Identity, String> members(ProcessSnapshot snapshot, ProcFs processes) {
        record.beginScan();
        record.read(this::recall);
        List<ProcessSnapshot.Seen> candidates = candidates(snapshot);
        ProcessSnapshot current = new ProcessSnapshot(
                candidates.stream()
                        .flatMap(seen -> now(seen, processes).stream())
                        .toList(),
                true);
        whole = snapshot.whole() && !hasDied(candidates, current);
        record.read(known -> recogniseOutputs(known, current, processes));
        return members(current);
    }

    /** Returns whether a process that was listed alive has died since, perhaps after a fork. */
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
        // Children of processes that were dead before this scan are listed.
        boolean died = !dead.containsAll(ended);
        dead = ended;
        return died;
    }

    /** Returns what the kernel enforces on the processes, as recorded. */
    Optional<String> sandbox() {
        return sandbox;
    }

    /** Returns whether the last scan cannot have missed a member. */
    boolean sawAll() {
        return whole;
    }

    /** See {@link RecordAccess#requireRead}; if the agent is unknown, the record is known to be unreadable. */
    void requireRecord() {
        if (isLed()) {
            record.requireRead();
        }
    }

    private void recall(TreeRecord from) throws IOException {
        if (sandbox.isEmpty()) {
            sandbox = from.sandbox();
        }
        if (!recalled) {
            from.members().forEach(known::putIfAbsent);
            cgroup = from.enclosure().or(() -> cgroup);
            recalled = true;
        }
        if (!watched && heldUntil.isEmpty()) {
            heldUntil = from.leaderHeldUntil();
        }
    }

    /**
     * Only processes of a step write to its logs, so a writer in a session with the leader's number belongs to the
     * leader's session. Used only if the leader's end was not watched, because it is expensive.
     */
    private void recogniseOutputs(TreeRecord from, ProcessSnapshot current, ProcFs processes) throws IOException {
        if (watched || leader.isEmpty() || ownsSession(current)) {
            return;
        }
        List<Path> outputs = from.outputs();
        for (ProcessSnapshot.Seen seen : current.processes()) {
            if (seen.stat().session() == leader.get().pid()
                    && possible(seen)
                    && processes.writesInto(seen.identity(), outputs)) {
                known.putIfAbsent(seen.identity(), "output");
            }
        }
    }

    /** Records unmarked members, so that the next runtime finds them if this one is killed. */
    void note() throws IOException {
        record.note(unmarked);
    }

    /**
     * Returns processes whose present attributes are required. Includes non-members, on which the owner of the session
     * depends. Others cannot be members: a process enters a session only by birth.
     */
    List<ProcessSnapshot.Seen> candidates(ProcessSnapshot snapshot) {
        Set<Long> enclosed = cgroup.map(Cgroup::members).orElse(Set.of());
        long number = leader.map(Identity::pid).orElse(NO_PID);
        Set<Long> pids = new HashSet<>(enclosed);
        List<ProcessSnapshot.Seen> family = new ArrayList<>();
        List<ProcessSnapshot.Seen> others = new ArrayList<>(snapshot.processes());
        boolean grown = true;
        while (grown) {
            List<ProcessSnapshot.Seen> found = others.stream()
                    .filter(seen -> isMarked(seen, number, enclosed) || isChild(seen, pids))
                    .toList();
            grown = !found.isEmpty();
            family.addAll(found);
            found.forEach(seen -> pids.add(seen.stat().pid()));
            others.removeIf(seen -> pids.contains(seen.stat().pid()));
        }
        return family;
    }

    private boolean isMarked(ProcessSnapshot.Seen seen, long number, Set<Long> enclosed) {
        ProcessStat stat = seen.stat();
        return stat.pid() == number
                || stat.session() == number
                || stat.group() == number
                || seen.carries(nonce)
                || known.containsKey(seen.identity())
                || enclosed.contains(stat.pid());
    }

    private static boolean isChild(ProcessSnapshot.Seen seen, Set<Long> pids) {
        return pids.contains(seen.stat().parent()) || pids.contains(seen.bornOf());
    }

    /** Returns empty if it is gone; another process if its pid was reused. */
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

    /** The agent may have been read before its exec. */
    private boolean mayCarryByNow(ProcessSnapshot.Seen seen) {
        return leader.filter(seen.identity()::equals).isPresent() && !seen.carries(nonce);
    }

    /** Returns the living members, with how each was first found. */
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
        unmarked = candidates.stream()
                .filter(seen -> living.containsKey(seen.identity()) && !seen.carries(nonce))
                .collect(Collectors.toMap(ProcessSnapshot.Seen::identity, seen -> living.get(seen.identity())));
        return living;
    }

    /** Returns whether the agent is known; then other members carry its nonce from the beginning, if ever. */
    boolean isLed() {
        return leader.isPresent();
    }

    /** Returns the start time before which no member began. */
    long sinceTicks() {
        return leader.map(Identity::startTicks).orElse(0L);
    }

    /** Returns whether the kernel says that no process of the agent is left. */
    boolean deserted() {
        return cgroup.map(Cgroup::deserted).orElse(false);
    }

    /** Last resort against processes that multiply faster than they are found. */
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
     * Returns whether the session with the leader's number still belongs to the leader. It does while a known member is
     * in it, and after a watched leader's end until another process has its pid. The kernel never reuses the number of
     * a session with living processes.
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

    /** A process born into the session while the leader held its number belongs to the leader. */
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
