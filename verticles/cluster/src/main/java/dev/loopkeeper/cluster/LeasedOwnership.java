package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.LeaseState;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.ownership.NodeLease;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.postgres.RunOwners.OwnedRun;
import dev.loopkeeper.view.Owner;
import dev.loopkeeper.work.Instants;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Knows this node's runs and whether its lease permits acting for them. Any thread. */
final class LeasedOwnership implements Ownership {
    private static final String LEASE = "LOOPKEEPER_LEASE";
    private static final long NONE = 0;

    private final String node;
    private final LeaseTerms terms;
    private final Map<String, Owner> runs = new ConcurrentHashMap<>();
    private volatile LeaseState state = NodeLease.OUT;
    private volatile long term = NONE;
    private volatile Optional<Path> gate = Optional.empty();

    LeasedOwnership(String node, LeaseTerms terms) {
        this.node = node;
        this.terms = terms;
    }

    @Override
    public Optional<String> node() {
        return Optional.of(node);
    }

    void update(LeaseState now) {
        state = now;
    }

    /** Sets the script, in the lease's folder, through which agents are launched. */
    void gate(Path script) {
        gate = Optional.of(script);
    }

    /** Adds runs that the node owns under this lease. May be repeated. */
    synchronized void own(List<OwnedRun> owned, long incarnation) {
        term = incarnation;
        owned.forEach(run -> runs.put(run.runId(), new Owner(node, run.epoch(), Instants.now())));
    }

    /** Does the same if the node still has that lease. Returns whether it has. */
    synchronized boolean take(List<OwnedRun> owned, long incarnation) {
        boolean held = term != NONE && term == incarnation;
        if (held) {
            own(owned, incarnation);
        }
        return held;
    }

    /** Forgets all runs and the lease. */
    synchronized void drop() {
        term = NONE;
        runs.clear();
    }

    boolean isLive() {
        return term != NONE && state.mayWrite(BootClock.now());
    }

    @Override
    public long epoch(String runId) {
        Owner known = runs.get(runId);
        return known == null ? 1 : known.epoch();
    }

    @Override
    public boolean mayAct() {
        return state.mayLaunch(BootClock.now(), terms)
                .filter(lease -> lease == term)
                .isPresent();
    }

    @Override
    public boolean isOwn(String runId) {
        return runs.containsKey(runId);
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public synchronized void created(String runId, long under) {
        if (under != NONE && under == term) {
            runs.put(runId, new Owner(node, 1, Instants.now()));
        }
    }

    @Override
    public void release(String runId) {
        runs.remove(runId);
    }

    @Override
    public Optional<Owner> owner(String runId) {
        return Optional.ofNullable(runs.get(runId));
    }

    /** Launches the step through the gate script. */
    @Override
    public StepSpec guarded(StepSpec step, long under) {
        if (gate.isEmpty()) {
            return step;
        }
        Path script = gate.get();
        Map<String, String> env = new HashMap<>(step.agentSpec().program().env());
        env.put(LEASE, Long.toString(under));
        return step.guarded(
                List.of("/bin/sh", script.toString(), script.getParent().toString()), env);
    }
}
