package dev.loopkeeper.cluster;

import dev.loopkeeper.store.postgres.RunOwners.Answer;
import dev.loopkeeper.store.postgres.RunOwners.OwnedRun;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the engine carry on what is this node's by its lease, and forget it with that. On the node's loop. */
final class NodeRuns {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRuns.class);
    private static final Duration AGAIN_AFTER = Duration.ofMillis(250);

    private final Vertx loop;
    private final LeasedOwnership ownership;
    private final LeaseFigures figures;
    private final EngineRuns engine;
    private final BooleanSupplier stopped;
    /** Completes when the engine has forgotten what it had. */
    private Future<Void> dropped = Future.succeededFuture();
    /** Runs whose processes are gone, to be carried on when the engine serves. */
    private Optional<Answer.Joined> deferred = Optional.empty();

    private volatile boolean serving;

    /** @param stopped whether it is no more tried what has failed */
    NodeRuns(Vertx loop, LeasedOwnership ownership, LeaseFigures figures, EngineRuns engine, BooleanSupplier stopped) {
        this.loop = loop;
        this.ownership = ownership;
        this.figures = figures;
        this.engine = engine;
        this.stopped = stopped;
    }

    /** The engine serves: what waited for that is carried on. */
    Future<Void> serve() {
        serving = true;
        Optional<Answer.Joined> moved = deferred;
        deferred = Optional.empty();
        return moved.map(this::carryOn).orElseGet(Future::succeededFuture);
    }

    /** Whether the engine serves. Any thread. */
    boolean isServing() {
        return serving;
    }

    /**
     * The node has its lease. Living agents are adopted by the engine's own start; of those that were ended nothing is
     * looked for.
     *
     * @param ended whether processes of these runs were ended
     */
    void takeUp(Answer.Joined joined, boolean ended) {
        if (serving) {
            ownership.own(List.of(), joined.incarnation());
            carryOn(joined).onFailure(cause -> LOG.error("this node's runs cannot be taken up", cause));
        } else if (ended) {
            ownership.own(List.of(), joined.incarnation());
            deferred = Optional.of(joined);
        } else {
            ownership.own(joined.runs(), joined.incarnation());
        }
    }

    private Future<Void> carryOn(Answer.Joined joined) {
        return carryOn(joined.runs(), joined.incarnation());
    }

    /** What was claimed under this incarnation; nothing where that is over. */
    Future<Void> carryOn(List<OwnedRun> claimed, long incarnation) {
        if (!ownership.take(claimed, incarnation)) {
            return Future.succeededFuture();
        }
        figures.takenOver(claimed.size());
        claimed.forEach(run -> LOG.info("run {} is carried on here, epoch {}", run.runId(), run.epoch()));
        return dropped.transform(
                forgotten -> takeUp(claimed.stream().map(OwnedRun::runId).toList()));
    }

    private Future<Void> takeUp(List<String> ids) {
        return ids.isEmpty()
                ? Future.succeededFuture()
                : engine.takeUp(ids, true).onFailure(cause -> LOG.error("runs cannot be taken up: {}", ids, cause));
    }

    /** None is this node's any more. */
    void drop() {
        deferred = Optional.empty();
        if (serving) {
            dropped = forget();
        }
    }

    private Future<Void> forget() {
        return engine.drop().recover(cause -> {
            LOG.error("the runs of this node are not forgotten yet", cause);
            return stopped.getAsBoolean()
                    ? Future.failedFuture(cause)
                    : loop.timer(AGAIN_AFTER.toMillis()).compose(due -> forget());
        });
    }
}
