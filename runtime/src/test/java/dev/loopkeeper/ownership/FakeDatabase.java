package dev.loopkeeper.ownership;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The rows of nodes and runs, and the statements on them: each is executed as a whole, as PostgreSQL does. */
final class FakeDatabase {
    enum Answer {
        DONE,
        STALE,
        FENCED
    }

    /** A node's row. */
    private static final class NodeRow {
        private long incarnation;
        private long beat;
        private boolean live;
        private long beatAt;
        private LeaseTerms terms = LeaseTerms.DEFAULTS;
    }

    /** A run's row. */
    private static final class RunRow {
        private final Placement placement;
        private Optional<String> owner = Optional.empty();
        private long epoch = 1;
        private long written;

        private RunRow(Placement placement) {
            this.placement = placement;
        }

        private boolean ownedBy(String node) {
            return owner.isPresent() && owner.get().equals(node);
        }
    }

    /** What a look shows: the others, and the observer's own runs with their epochs. */
    record LeaseView(List<NodeBeat> others, Map<NodeBeat, Long> silentByWallClock, Map<String, Long> own) {}

    private final ProtocolBug bug;
    private final Map<String, NodeRow> nodes = new TreeMap<>();
    private final Map<String, RunRow> runs = new TreeMap<>();
    private final Map<String, String> writers = new HashMap<>();
    private final List<String> broken = new ArrayList<>();
    private int life = 1;
    private boolean up = true;
    private long upSince;
    private int fences;

    FakeDatabase(ProtocolBug bug, Map<String, Placement> placements) {
        this.bug = bug;
        placements.forEach((run, placement) -> runs.put(run, new RunRow(placement)));
    }

    void goDown() {
        up = false;
        life++;
    }

    void comeUp(long now) {
        up = true;
        upSince = now;
    }

    boolean isUp() {
        return up;
    }

    int life() {
        return life;
    }

    int fences() {
        return fences;
    }

    /** Statements that broke an invariant of the database, or found one broken. */
    List<String> broken() {
        return broken;
    }

    Map<String, Optional<String>> owners() {
        Map<String, Optional<String>> owners = new TreeMap<>();
        runs.forEach((run, row) -> owners.put(run, row.owner.filter(node -> nodes.get(node).live)));
        return owners;
    }

    long join(String node, LeaseTerms terms, long wallClock) {
        NodeRow row = nodes.computeIfAbsent(node, unknown -> new NodeRow());
        boolean shorter = terms.lease().compareTo(row.terms.lease()) < 0;
        if (!row.live || !shorter || bug == ProtocolBug.SHORTER_LEASE_AT_ONCE) {
            row.terms = terms;
        }
        row.incarnation++;
        row.live = true;
        row.beat = 1;
        row.beatAt = wallClock;
        own(node).forEach(run -> {
            run.epoch++;
            if (bug == ProtocolBug.RELEASED_BEFORE_GONE) {
                run.owner = Optional.empty();
            }
        });
        return row.incarnation;
    }

    private List<RunRow> own(String node) {
        return runs.values().stream().filter(run -> run.ownedBy(node)).toList();
    }

    private boolean live(String node, long incarnation) {
        NodeRow row = nodes.get(node);
        return row != null && row.live && row.incarnation == incarnation;
    }

    Answer renew(String node, long incarnation, LeaseTerms terms, long wallClock) {
        if (!live(node, incarnation)) {
            return Answer.FENCED;
        }
        nodes.get(node).beat++;
        nodes.get(node).beatAt = wallClock;
        nodes.get(node).terms = terms;
        return Answer.DONE;
    }

    private boolean hasFreeRuns() {
        for (RunRow run : runs.values()) {
            if (run.owner.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Claims as many runs as there are places, then looks. */
    LeaseView look(String node, long incarnation, Set<String> roots, int slots, long wallClock) {
        boolean live = live(node, incarnation);
        if (live && hasFreeRuns()) {
            List<Claimant.FreeRun> free = runs.entrySet().stream()
                    .filter(run -> run.getValue().owner.isEmpty())
                    .map(run -> new Claimant.FreeRun(run.getKey(), run.getValue().placement, Instant.EPOCH))
                    .toList();
            new Claimant(node, roots, slots, own(node).size())
                    .round(free, Optional.empty())
                    .forEach(run -> {
                        RunRow row = runs.get(run.runId());
                        row.owner = Optional.of(node);
                        row.epoch++;
                    });
        }
        List<NodeBeat> others = new ArrayList<>();
        Map<NodeBeat, Long> silent = new HashMap<>();
        nodes.forEach((name, row) -> {
            if (row.live && !name.equals(node)) {
                NodeBeat beat = new NodeBeat(name, row.incarnation, row.beat, row.terms);
                others.add(beat);
                if (bug == ProtocolBug.DATABASE_CLOCK) {
                    silent.put(beat, wallClock - row.beatAt);
                }
            }
        });
        Map<String, Long> own = new TreeMap<>();
        if (live) {
            runs.forEach((run, row) -> {
                if (row.ownedBy(node)) {
                    own.put(run, row.epoch);
                }
            });
        }
        return new LeaseView(others, silent, own);
    }

    Answer fence(String by, long incarnation, NodeBeat seen, long now) {
        NodeRow row = nodes.get(seen.node());
        boolean same = row.live && row.incarnation == seen.incarnation() && row.beat == seen.beat();
        if (!same || !live(by, incarnation)) {
            return Answer.STALE;
        }
        // Clocks may go fast by one in a hundred.
        if (now - upSince < row.terms.lease().toMillis() * 98 / 100) {
            broken.add(seen.node() + " was fenced " + (now - upSince) + " ms after the database came back");
        }
        fences++;
        row.live = false;
        own(seen.node()).forEach(run -> {
            run.owner = Optional.empty();
            run.epoch++;
        });
        return Answer.DONE;
    }

    Answer append(String node, long incarnation, String run, long epoch) {
        RunRow row = runs.get(run);
        if (!row.ownedBy(node) || row.epoch != epoch) {
            return live(node, incarnation) ? Answer.STALE : Answer.FENCED;
        }
        String writer = writers.putIfAbsent(run + " " + epoch, node + " " + incarnation);
        if (writer != null && !writer.equals(node + " " + incarnation)) {
            broken.add("epoch " + epoch + " of " + run + " was written by " + writer + " and " + node);
        }
        if (epoch < row.written) {
            broken.add("the epoch of " + run + " fell from " + row.written + " to " + epoch);
        }
        row.written = epoch;
        return Answer.DONE;
    }

    Answer release(String node, long incarnation, Set<String> atRest) {
        if (!live(node, incarnation)) {
            return Answer.FENCED;
        }
        atRest.forEach(run -> {
            RunRow row = runs.get(run);
            if (row.ownedBy(node)) {
                row.owner = Optional.empty();
                row.epoch++;
            }
        });
        nodes.get(node).live = !own(node).isEmpty();
        return Answer.DONE;
    }
}
