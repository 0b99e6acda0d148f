package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.Claimant;
import dev.loopkeeper.ownership.Claimant.FreeRun;
import dev.loopkeeper.ownership.NodeBeat;
import dev.loopkeeper.ownership.NodeWatch;
import dev.loopkeeper.ownership.QueueShare;
import dev.loopkeeper.store.StoreAwayException;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.store.postgres.RunOwners.Look;
import dev.loopkeeper.store.postgres.RunOwners.NodeRow;
import dev.loopkeeper.store.postgres.RunOwners.OwnedRun;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the other nodes, ends the lease of those that are silent, and takes runs that nobody has. On one context. */
final class RunClaims {
    private static final Logger LOG = LoggerFactory.getLogger(RunClaims.class);
    private static final int FREE = 500;

    private final ClusterOptions options;
    private final Set<String> roots;
    private final LeasedOwnership ownership;
    private final RunOwners owners;
    private final LeaseFigures figures;
    private final BiFunction<List<OwnedRun>, Long, Future<Void>> carryOn;
    private final Queue queue;
    private NodeWatch watch = NodeWatch.NOTHING;
    private Future<Void> looking = Future.succeededFuture();
    private boolean stopped;
    /** Claimed or given back under this incarnation without an answer: they may be this node's by now, or a little later. */
    private final Set<String> unsure = new HashSet<>();

    private long unsureUnder;

    /** What waits for a place on this node. */
    interface Queue {
        /** Who has waited longest first. */
        Future<List<String>> waiting();

        /** Forgets these of them, and says which. */
        Future<List<String>> letGo(List<String> runIds);
    }

    /** @param carryOn takes up runs that were claimed under this incarnation */
    RunClaims(
            ClusterOptions options,
            Set<String> roots,
            LeasedOwnership ownership,
            RunOwners owners,
            LeaseFigures figures,
            BiFunction<List<OwnedRun>, Long, Future<Void>> carryOn,
            Queue queue) {
        this.options = options;
        this.roots = roots;
        this.ownership = ownership;
        this.owners = owners;
        this.figures = figures;
        this.carryOn = carryOn;
        this.queue = queue;
    }

    /** Once; a look that is under way is enough. */
    void look() {
        if (!stopped && looking.isComplete()) {
            looking = owners.look().compose(this::seen).onFailure(cause -> {
                if (cause instanceof StoreAwayException) {
                    LOG.debug("the other nodes cannot be looked at: {}", cause.getMessage());
                } else {
                    LOG.error("the other nodes cannot be looked at", cause);
                }
            });
        }
    }

    /** None is begun any more; completes when none is under way. */
    Future<Void> stop() {
        stopped = true;
        return looking.otherwiseEmpty();
    }

    private Future<Void> seen(Look look) {
        BootTime at = BootClock.now();
        String me = options.node();
        List<NodeBeat> live = look.nodes().stream()
                .filter(NodeRow::isLive)
                .map(NodeRow::asBeat)
                .filter(beat -> !beat.node().equals(me))
                .toList();
        watch = watch.look(at, look.session(), live);
        long incarnation = ownership.term();
        if (!ownership.isLive()) {
            return Future.succeededFuture();
        }
        Future<Void> fenced = Future.succeededFuture();
        for (NodeBeat silent : watch.due(at)) {
            fenced = fenced.compose(before -> fence(silent, incarnation));
        }
        return fenced.compose(done -> missed(incarnation)).compose(done -> share(look, incarnation));
    }

    /** Makes these runs this node's, as {@link RunOwners#claim} does. One whose answer is lost is looked for later. */
    Future<List<OwnedRun>> take(List<String> runIds, long incarnation) {
        return owners.claim(runIds, options.node(), incarnation).onFailure(lost -> doubt(runIds, incarnation));
    }

    private void doubt(List<String> runIds, long incarnation) {
        if (unsureUnder != incarnation) {
            unsure.clear();
            unsureUnder = incarnation;
        }
        unsure.addAll(runIds);
    }

    /** Of what is this node's only what was claimed: a run that is just being made here is not known yet either. */
    private Future<Void> missed(long incarnation) {
        unsure.removeIf(runId -> unsureUnder != incarnation || ownership.isOwn(runId));
        if (unsure.isEmpty()) {
            return Future.succeededFuture();
        }
        return owners.owned(options.node()).compose(mine -> {
            List<OwnedRun> found = mine.stream()
                    .filter(run -> unsure.contains(run.runId()) && !ownership.isOwn(run.runId()))
                    .toList();
            return found.isEmpty() ? Future.succeededFuture() : carryOn.apply(found, incarnation);
        });
    }

    private Future<Void> fence(NodeBeat silent, long incarnation) {
        return owners.fence(silent, options.node(), incarnation).map(ended -> {
            if (ended) {
                figures.fenced();
                LOG.warn("node {} was silent for a whole lease: its runs are free", silent.node());
            }
            return null;
        });
    }

    /** Gives what waits here to those who have places, and takes what nobody has. */
    private Future<Void> share(Look look, long incarnation) {
        String me = options.node();
        int held = look.nodes().stream()
                .filter(row -> row.facts().node().equals(me))
                .mapToInt(NodeRow::held)
                .sum();
        QueueShare others = new QueueShare(look.nodes().stream()
                .filter(row -> row.isLive() && !row.facts().node().equals(me))
                .filter(row -> row.facts().places() > row.held())
                .map(row -> new QueueShare.FreeSlots(
                        row.facts().node(), row.facts().roots(), row.facts().places() - row.held()))
                .toList());
        return owners.free(me, roots, FREE)
                .compose(free -> waiting(held, others, free).compose(mine -> {
                    if (stopped) {
                        return Future.succeededFuture();
                    }
                    Optional<Instant> since = others.nodes().isEmpty()
                            ? mine.stream().findFirst().map(FreeRun::createdAt)
                            : Optional.empty();
                    return claim(new Claimant(me, roots, options.mostRuns(), held).round(free, since), incarnation)
                            .compose(claimed -> give(others.givenAway(mine, free), incarnation));
                }));
    }

    /** What waits for a place on this node and may move; asked for only where somebody can make use of it. */
    private Future<List<FreeRun>> waiting(int held, QueueShare others, List<FreeRun> free) {
        if (held < options.mostRuns() || (others.nodes().isEmpty() && free.isEmpty())) {
            return Future.succeededFuture(List.of());
        }
        return queue.waiting()
                .compose(ids ->
                        ids.isEmpty() ? Future.succeededFuture(List.of()) : owners.movable(ids, options.node(), roots));
    }

    private Future<Void> claim(List<FreeRun> wanted, long incarnation) {
        return wanted.isEmpty()
                ? Future.succeededFuture()
                : take(ids(wanted), incarnation).compose(claimed -> carryOn.apply(claimed, incarnation));
    }

    /** What is let go here and could not be given back is taken up again at a later look. */
    private Future<Void> give(List<FreeRun> given, long incarnation) {
        return given.isEmpty() || !ownership.isLive()
                ? Future.succeededFuture()
                : queue.letGo(ids(given))
                        .compose(gone -> gone.isEmpty()
                                ? Future.succeededFuture()
                                : owners.release(gone, options.node(), incarnation)
                                        .onSuccess(left -> LOG.info("left to nodes with free places: {}", gone)))
                        .onFailure(lost -> doubt(ids(given), incarnation));
    }

    private static List<String> ids(List<FreeRun> runs) {
        return runs.stream().map(FreeRun::runId).toList();
    }
}
