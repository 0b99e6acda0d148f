package dev.loopkeeper.cluster;

import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ContinueRuns;
import dev.loopkeeper.contract.SchedulerChannels.DropRuns;
import dev.loopkeeper.contract.SchedulerChannels.ListWaiting;
import dev.loopkeeper.contract.SchedulerChannels.ReleaseRuns;
import dev.loopkeeper.contract.SchedulerChannels.WaitingRuns;
import dev.loopkeeper.store.postgres.RunOwners.JoinResult;
import dev.loopkeeper.store.postgres.RunOwners.OwnedRun;
import dev.loopkeeper.work.Retries;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the engine continue the runs that the node owns, and forget them when the lease is lost. Used on the node's
 * loop.
 */
final class NodeRuns implements RunClaims.Queue {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRuns.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration RETRY_AFTER = Duration.ofMillis(250);

    private final Vertx loop;
    private final LeasedOwnership ownership;
    private final LeaseFigures figures;
    private final EventBus engine;
    private final BooleanSupplier stopped;
    /** Completes when the engine has forgotten the runs of a lost lease. */
    private Future<Void> dropped = Future.succeededFuture();
    /** Runs whose processes were ended, to be continued once the engine serves. */
    private Optional<JoinResult.Joined> deferred = Optional.empty();

    private volatile boolean serving;

    /** @param stopped whether to stop retrying */
    NodeRuns(Vertx loop, LeasedOwnership ownership, LeaseFigures figures, EventBus engine, BooleanSupplier stopped) {
        this.loop = loop;
        this.ownership = ownership;
        this.figures = figures;
        this.engine = engine;
        this.stopped = stopped;
    }

    /** Called when the engine serves: continues deferred runs. */
    Future<Void> serve() {
        serving = true;
        Optional<JoinResult.Joined> moved = deferred;
        deferred = Optional.empty();
        return moved.map(this::resume).orElseGet(Future::succeededFuture);
    }

    /** Returns whether the engine serves. Any thread. */
    boolean isServing() {
        return serving;
    }

    /**
     * Called when the node gets a lease. The engine's start adopts living agents; runs whose agents were ended are
     * continued later, without adoption.
     *
     * @param ended whether processes of these runs were ended
     */
    void resume(JoinResult.Joined joined, boolean ended) {
        if (serving) {
            ownership.own(List.of(), joined.incarnation());
            resume(joined).onFailure(cause -> LOG.error("this node's runs cannot be resumed", cause));
        } else if (ended) {
            ownership.own(List.of(), joined.incarnation());
            deferred = Optional.of(joined);
        } else {
            ownership.own(joined.runs(), joined.incarnation());
        }
    }

    private Future<Void> resume(JoinResult.Joined joined) {
        return resume(joined.runs(), joined.incarnation());
    }

    /** Continues runs claimed under this incarnation; does nothing if that has ended. */
    Future<Void> resume(List<OwnedRun> claimed, long incarnation) {
        if (!ownership.take(claimed, incarnation)) {
            return Future.succeededFuture();
        }
        figures.takenOver(claimed.size());
        claimed.forEach(run -> LOG.info("run {} continues on this node, epoch {}", run.runId(), run.epoch()));
        return dropped.transform(
                forgotten -> resume(claimed.stream().map(OwnedRun::runId).toList()));
    }

    private Future<Void> resume(List<String> ids) {
        return ids.isEmpty()
                ? Future.succeededFuture()
                : SchedulerChannels.CONTINUE
                        .ask(engine, new ContinueRuns(ids, true), PATIENCE)
                        .onFailure(cause -> LOG.error("runs cannot be resumed: {}", ids, cause))
                        .mapEmpty();
    }

    @Override
    public Future<List<String>> waiting() {
        return SchedulerChannels.WAITING
                .ask(engine, new ListWaiting(), PATIENCE)
                .map(WaitingRuns::runIds);
    }

    @Override
    public Future<List<String>> release(List<String> runIds) {
        return SchedulerChannels.RELEASE
                .ask(engine, new ReleaseRuns(runIds), PATIENCE)
                .map(ReleaseRuns::runIds);
    }

    /** Called when the lease is lost. */
    void drop() {
        deferred = Optional.empty();
        if (serving) {
            dropped = forget();
        }
    }

    private Future<Void> forget() {
        return Retries.every(
                        loop,
                        RETRY_AFTER,
                        cause -> {
                            LOG.error("the engine did not drop the runs of the lost lease, retrying", cause);
                            return !stopped.getAsBoolean();
                        },
                        () -> SchedulerChannels.DROP.ask(engine, new DropRuns(), PATIENCE))
                .mapEmpty();
    }
}
