package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.Claimant;
import dev.loopkeeper.ownership.Claimant.FreeRun;
import dev.loopkeeper.ownership.NodeBeat;
import dev.loopkeeper.ownership.NodeWatch;
import dev.loopkeeper.ownership.QueueShare;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.store.postgres.RunOwners.NodeRow;
import dev.loopkeeper.store.postgres.RunOwners.NodeSnapshot;
import dev.loopkeeper.store.postgres.RunOwners.OwnedRun;
import dev.loopkeeper.work.InOrder;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Observes other nodes, ends the leases of silent ones, and claims runs without a live owner. Used on one context. */
final class RunClaims {
    private static final Logger LOG = LoggerFactory.getLogger(RunClaims.class);
    private static final int MAX_FREE_RUNS = 500;

    private final ClusterOptions options;
    private final Set<String> roots;
    private final LeasedOwnership ownership;
    private final RunOwners owners;
    private final LeaseFigures figures;
    private final BiFunction<List<OwnedRun>, Long, Future<Void>> resume;
    private final Queue queue;
    private NodeWatch watch = NodeWatch.NOTHING;
    private Future<Void> polling = Future.succeededFuture();
    private boolean stopped;
    /** Runs claimed or released under this incarnation without an answer: the node may own them. */
    private final Set<String> unconfirmed = new HashSet<>();

    private long unconfirmedUnder;

    /** Runs that wait for a slot on this node. */
    interface Queue {
        /** Returns the waiting runs; the one that waits longest is first. */
        Future<List<String>> waiting();

        /** Forgets these runs if they still wait, and returns those. */
        Future<List<String>> release(List<String> runIds);
    }

    /** @param resume continues runs that were claimed under this incarnation */
    RunClaims(
            ClusterOptions options,
            Set<String> roots,
            LeasedOwnership ownership,
            RunOwners owners,
            LeaseFigures figures,
            BiFunction<List<OwnedRun>, Long, Future<Void>> resume,
            Queue queue) {
        this.options = options;
        this.roots = roots;
        this.ownership = ownership;
        this.owners = owners;
        this.figures = figures;
        this.resume = resume;
        this.queue = queue;
    }

    /** Observes the nodes once; does nothing while an earlier poll is in progress. */
    void poll() {
        if (!stopped && polling.isComplete()) {
            polling = owners.nodes().compose(this::seen).onFailure(cause -> {
                if (cause instanceof StoreUnavailableException) {
                    LOG.debug("the other nodes cannot be observed: {}", cause.getMessage());
                } else {
                    LOG.error("the other nodes cannot be observed", cause);
                }
            });
        }
    }

    /** Begins no more polls; completes when none is in progress. */
    Future<Void> stop() {
        stopped = true;
        return polling.otherwiseEmpty();
    }

    private Future<Void> seen(NodeSnapshot look) {
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
        return InOrder.each(watch.due(at), silent -> fence(silent, incarnation))
                .compose(done -> resumeUnconfirmed(incarnation))
                .compose(done -> balance(look, incarnation));
    }

    /** Claims these runs, see {@link RunOwners#claim}. After a lost answer a later poll checks the owner. */
    Future<List<OwnedRun>> take(List<String> runIds, long incarnation) {
        return owners.claim(runIds, options.node(), incarnation)
                .onFailure(lost -> markUnconfirmed(runIds, incarnation));
    }

    private void markUnconfirmed(List<String> runIds, long incarnation) {
        if (unconfirmedUnder != incarnation) {
            unconfirmed.clear();
            unconfirmedUnder = incarnation;
        }
        unconfirmed.addAll(runIds);
    }

    /** Resumes unconfirmed runs that the node has claimed: a run that is being created here is not known yet either. */
    private Future<Void> resumeUnconfirmed(long incarnation) {
        unconfirmed.removeIf(runId -> unconfirmedUnder != incarnation || ownership.isOwn(runId));
        if (unconfirmed.isEmpty()) {
            return Future.succeededFuture();
        }
        return owners.owned(options.node()).compose(mine -> {
            List<OwnedRun> found = mine.stream()
                    .filter(run -> unconfirmed.contains(run.runId()) && !ownership.isOwn(run.runId()))
                    .toList();
            return found.isEmpty() ? Future.succeededFuture() : resume.apply(found, incarnation);
        });
    }

    private Future<Void> fence(NodeBeat silent, long incarnation) {
        return owners.fence(silent, options.node(), incarnation).map(ended -> {
            if (ended) {
                figures.fenced();
                LOG.warn("node {} was silent for a complete lease: this node freed its runs", silent.node());
            }
            return null;
        });
    }

    /** Releases waiting runs to nodes with free slots, and claims runs without an owner. */
    private Future<Void> balance(NodeSnapshot look, long incarnation) {
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
        return owners.free(me, roots, MAX_FREE_RUNS)
                .compose(free -> waiting(held, others, free).compose(mine -> {
                    if (stopped) {
                        return Future.succeededFuture();
                    }
                    Optional<Instant> since = others.nodes().isEmpty()
                            ? mine.stream().findFirst().map(FreeRun::createdAt)
                            : Optional.empty();
                    return claim(new Claimant(me, roots, options.mostRuns(), held).round(free, since), incarnation)
                            .compose(claimed -> handOver(others.givenAway(mine, free), incarnation));
                }));
    }

    /** Returns the waiting runs that may move, if this node is full and another node or a free run could use that. */
    private Future<List<FreeRun>> waiting(int held, QueueShare others, List<FreeRun> free) {
        if (held < options.mostRuns() || (others.nodes().isEmpty() && free.isEmpty())) {
            return Future.succeededFuture(List.of());
        }
        return queue.waiting()
                .compose(ids ->
                        ids.isEmpty() ? Future.succeededFuture(List.of()) : owners.movable(ids, options.node(), roots));
    }

    private Future<Void> claim(List<FreeRun> chosen, long incarnation) {
        return chosen.isEmpty()
                ? Future.succeededFuture()
                : take(ids(chosen), incarnation).compose(claimed -> resume.apply(claimed, incarnation));
    }

    /** Releases runs; those whose release is unconfirmed are resumed at a later poll. */
    private Future<Void> handOver(List<FreeRun> given, long incarnation) {
        return given.isEmpty() || !ownership.isLive()
                ? Future.succeededFuture()
                : queue.release(ids(given))
                        .compose(released -> released.isEmpty()
                                ? Future.succeededFuture()
                                : owners.release(released, options.node(), incarnation)
                                        .onSuccess(done -> LOG.info("released to nodes with free slots: {}", released)))
                        .onFailure(lost -> markUnconfirmed(ids(given), incarnation));
    }

    private static List<String> ids(List<FreeRun> runs) {
        return runs.stream().map(FreeRun::runId).toList();
    }
}
