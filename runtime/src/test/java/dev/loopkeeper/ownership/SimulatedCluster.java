package dev.loopkeeper.ownership;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Three nodes, their machines, links and one database, in a time of its own. Everything random comes from the seed.
 *
 * <p>Real time is in milliseconds and no node knows it: each machine has a boot clock of its own with an offset and
 * a rate of up to one in a hundred too fast or too slow.
 */
final class SimulatedCluster {
    /** After a machine stood still its processes may run for one look of the warden and one search for them. */
    static final long REST = LeaseTerms.WARDEN_INTERVAL.toMillis() + SimulatedNode.LONGEST_SEARCH;

    /** Within this time after the last fault each run has an owner, where all have a lease of 8 s. */
    private static final long SETTLED = 10_000;

    /** What is on its way as the last fault ends has arrived after this; then a schedule ends as soon as all is well. */
    private static final long UNDER_WAY = 2_000;

    private static final long BETWEEN_QUESTIONS = 500;

    /** An agent's life. */
    record AgentLife(String run, SimulatedNode node, long from, long to) {
        @Override
        public String toString() {
            return run + " on " + node.name() + " from " + from + " to " + to;
        }
    }

    /** What happens at each millisecond; nothing happens after the end. */
    private final List<List<Runnable>> events = new ArrayList<>();

    private final SplittableRandom random;
    private final ProtocolBug bug;
    private final List<Fault> faults;
    private final LeasePlan leases;
    private final long settled;
    private final FakeDatabase database;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<AgentLife> lives = new ArrayList<>();
    private final int slowPercent;
    private final int slowLaunchPercent;
    private long now;
    private long wallStep;

    SimulatedCluster(long seed, ProtocolBug bug) {
        this(new SplittableRandom(seed), bug);
    }

    private SimulatedCluster(SplittableRandom random, ProtocolBug bug) {
        this(
                random,
                bug,
                FaultPlan.random(random.split()),
                LeasePlan.random(random.split()),
                new int[] {0, 2, 20}[random.nextInt(3)],
                3);
    }

    /** With these faults, and a quick network. */
    SimulatedCluster(long seed, ProtocolBug bug, List<Fault> faults, LeasePlan leases, int slowLaunchPercent) {
        this(new SplittableRandom(seed), bug, faults, leases, 0, slowLaunchPercent);
    }

    private SimulatedCluster(
            SplittableRandom random,
            ProtocolBug bug,
            List<Fault> faults,
            LeasePlan leases,
            int slowPercent,
            int slowLaunchPercent) {
        this.slowLaunchPercent = slowLaunchPercent;
        this.random = random;
        this.bug = bug;
        this.faults = faults;
        this.leases = leases;
        settled = leases == LeasePlan.SAME
                ? SETTLED
                : SETTLED + LeasePlan.LONGEST.minus(LeaseTerms.DEFAULTS.lease()).toMillis();
        this.slowPercent = slowPercent;
        Map<String, Placement> placements = new LinkedHashMap<>();
        placements.put("run-1", new Placement.Shared("/srv/work"));
        placements.put("run-2", new Placement.Shared("/srv/work"));
        placements.put("run-3", new Placement.Shared("/srv/work"));
        placements.put("run-of-n0", new Placement.Pinned("n0"));
        database = new FakeDatabase(bug, placements);
        for (int number = 0; number < FaultPlan.NODES; number++) {
            nodes.add(new SimulatedNode(this, "n" + number));
        }
    }

    /** Until some time after the last fault. */
    SimulatedCluster run() {
        long end = end();
        events.addAll(Collections.nCopies((int) end + 1, null));
        nodes.forEach(node -> at(random.nextInt(300), node::start));
        faults.forEach(fault -> {
            at(fault.at(), () -> begin(fault));
            at(fault.until(), () -> end(fault));
        });
        long calm = end - settled + UNDER_WAY;
        for (now = 0; now <= end && !(now >= calm && isSettled()); now++) {
            List<Runnable> mine = events.get((int) now);
            while (mine != null && !mine.isEmpty()) {
                // Those of one moment come in any order.
                int last = mine.size() - 1;
                if (last > 0) {
                    Collections.swap(mine, random.nextInt(last + 1), last);
                }
                mine.remove(last).run();
            }
            events.set((int) now, null);
        }
        nodes.forEach(SimulatedNode::endOfSimulation);
        return this;
    }

    private boolean isSettled() {
        return now % BETWEEN_QUESTIONS == 0
                && nodes.stream().allMatch(SimulatedNode::isLive)
                && database.owners().values().stream().allMatch(Optional::isPresent);
    }

    private long end() {
        return settled + faults.stream().mapToLong(Fault::until).max().orElse(40_000);
    }

    private void begin(Fault fault) {
        SimulatedNode node = nodes.get(fault.node());
        switch (fault.kind()) {
            case DATABASE_DOWN -> database.goDown();
            case WALL_CLOCK_STEP -> wallStep += 10_000;
            default -> node.begin(fault);
        }
    }

    private void end(Fault fault) {
        SimulatedNode node = nodes.get(fault.node());
        switch (fault.kind()) {
            case DATABASE_DOWN -> database.comeUp(now);
            case WALL_CLOCK_STEP -> wallStep -= 10_000;
            default -> node.end(fault);
        }
    }

    void at(long time, Runnable what) {
        int slot = (int) Math.max(Math.min(time, Integer.MAX_VALUE), now);
        if (slot < events.size()) {
            if (events.get(slot) == null) {
                events.set(slot, new ArrayList<>(2));
            }
            events.get(slot).add(what);
        }
    }

    long now() {
        return now;
    }

    LeaseTerms terms(SimulatedNode node, int start) {
        return leases.terms(nodes.indexOf(node), start);
    }

    long wallClock() {
        return now + wallStep;
    }

    SplittableRandom random() {
        return random;
    }

    ProtocolBug bug() {
        return bug;
    }

    FakeDatabase database() {
        return database;
    }

    /** One way through the network: mostly a few milliseconds, sometimes nearly as long as an answer is waited for. */
    long delay() {
        return random.nextInt(100) < slowPercent ? random.nextInt(1_400) : 1 + random.nextInt(4);
    }

    /** What a thread takes for a piece of a launch: mostly some milliseconds, on a slow disk seconds. */
    long slowThread() {
        return random.nextInt(100) < slowLaunchPercent ? random.nextInt(4_000) : random.nextInt(10);
    }

    void lived(AgentLife life) {
        lives.add(life);
    }

    List<AgentLife> lives() {
        return lives;
    }

    /** What must not be; empty when all is well. */
    List<String> broken() {
        List<String> broken = new ArrayList<>(database.broken());
        for (int one = 0; one < lives.size(); one++) {
            for (int other = one + 1; other < lives.size(); other++) {
                if (lives.get(one).run().equals(lives.get(other).run())) {
                    overlap(lives.get(one), lives.get(other), broken);
                }
            }
        }
        database.owners().forEach((run, owner) -> {
            // A network that stays bad continues to be a fault.
            if (owner.isEmpty() && slowPercent == 0) {
                broken.add(run + " has no owner " + settled + " ms after the last fault");
            }
        });
        lives.stream()
                .filter(life ->
                        life.run().equals("run-of-n0") && !life.node().name().equals("n0"))
                .forEach(life -> broken.add("a pinned run was on " + life.node().name()));
        return broken;
    }

    /** Two agents of a run at work at the same time; one whose machine stands still is not at work. */
    private static void overlap(AgentLife one, AgentLife other, List<String> broken) {
        List<Fault> standstills = new ArrayList<>(one.node().standstills());
        standstills.addAll(other.node().standstills());
        long from = Math.max(one.from(), other.from());
        long to = Math.min(one.to(), other.to());
        long allowed = 0;
        for (Fault still : standstills) {
            // What lived through a standstill may continue for a moment after it.
            allowed += Math.max(0, Math.min(to, still.until() + REST) - Math.max(from, still.at()));
        }
        if (to - from > allowed) {
            broken.add(one + " and " + other + " overlap for " + (to - from) + " ms, " + allowed + " allowed");
        }
    }

    /** The shortest time from the end of one node's agent to the beginning of another's, in milliseconds. */
    long smallestMargin() {
        long smallest = Long.MAX_VALUE;
        for (AgentLife former : lives) {
            for (AgentLife next : lives) {
                if (next.run().equals(former.run()) && next.node() != former.node() && next.from() >= former.to()) {
                    smallest = Math.min(smallest, next.from() - former.to());
                }
            }
        }
        return smallest;
    }

    /** From then on how long it took until another node than before was at work for a run, at most. */
    long longestTakeover(long since) {
        return lives.stream()
                .filter(former -> former.from() <= since && former.to() > since)
                .flatMap(former -> lives.stream()
                        .filter(next -> next.run().equals(former.run()) && next.from() > since)
                        .filter(next -> next.node() != former.node()))
                .collect(Collectors.toMap(AgentLife::run, AgentLife::from, Math::min))
                .values()
                .stream()
                .mapToLong(from -> from - since)
                .max()
                .orElse(0);
    }

    @Override
    public String toString() {
        return "faults " + faults + ", slow " + slowPercent + " %";
    }
}
