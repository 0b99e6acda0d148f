package dev.loopkeeper.process.tree;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All processes of one step, by session, process group, descent, nonce and control group. Whoever was found once stays a member for
 * as long as it lives, whatever becomes of its parents. Not thread-safe.
 */
public final class ProcessTree {
    private static final long INIT = 1;
    private static final long NOBODY = -1;

    private final String nonce;
    private final Optional<Identity> leader;
    private final boolean watched;
    private final Optional<Cgroup> cgroup;
    private final long self = ProcessHandle.current().pid();
    private final Map<Identity, String> known = new LinkedHashMap<>();

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

    /** Who of the step lives now, with how each was first found. Blocking. */
    Map<Identity, String> members(ProcessSnapshot snapshot, ProcFs processes) {
        return members(new ProcessSnapshot(candidates(snapshot).stream()
                .flatMap(seen -> now(seen, processes).stream())
                .toList()));
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
        return living;
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
     * Whether the session with the leader's number is still the leader's: it is while a carrier of the nonce lives in
     * it, and right after a watched leader's end as long as nobody else has its pid.
     */
    private boolean ownsSession(ProcessSnapshot snapshot) {
        if (leader.isEmpty()) {
            return false;
        }
        long number = leader.get().pid();
        boolean ownWithin = snapshot.processes().stream()
                .filter(seen -> seen.stat().session() == number)
                .anyMatch(seen -> seen.carries(nonce) || known.containsKey(seen.identity()));
        boolean passedOn = snapshot.processes().stream()
                .filter(seen -> seen.stat().pid() == number)
                .anyMatch(seen -> !seen.identity().equals(leader.get()));
        return ownWithin || (watched && !passedOn);
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
