package dev.loopkeeper.embed;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.run.Drain;
import dev.loopkeeper.contract.run.InterruptRun;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.contract.run.SkipGrace;
import dev.loopkeeper.control.ControlFilesVerticle;
import dev.loopkeeper.manifest.PromptTemplate;
import dev.loopkeeper.notify.NotifierOptions;
import dev.loopkeeper.notify.NotifierVerticle;
import dev.loopkeeper.process.ProcessSupervisorVerticle;
import dev.loopkeeper.process.SupervisorOptions;
import dev.loopkeeper.retention.LogRetentionVerticle;
import dev.loopkeeper.retention.RetentionVerticle;
import dev.loopkeeper.scheduler.LoopSchedulerVerticle;
import dev.loopkeeper.scheduler.SchedulerOptions;
import dev.loopkeeper.signal.SignalWatcherVerticle;
import dev.loopkeeper.store.EventStoreVerticle;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import dev.loopkeeper.verdict.Normaliser;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of Loopkeeper, deployed into a {@link Vertx}: the one place where the parts are put together, for the
 * command line and for embedding alike. Talk to it by the channels of {@code scheduler} and {@code store}.
 *
 * <pre>{@code
 * Loopkeeper.start(vertx, LoopkeeperOptions.of(Path.of("/var/lib/loopkeeper")))
 *         .compose(keeper -> RunChannels.START.ask(vertx.eventBus(), run, patience)...
 * }</pre>
 */
public final class Loopkeeper {
    private static final Logger LOG = LoggerFactory.getLogger(Loopkeeper.class);
    /** An end to the wait whatever happens; the scheduler itself waits for the grace of the agents. */
    private static final Duration DRAIN_PATIENCE = Duration.ofMinutes(10);

    private final Vertx vertx;
    private final LoopkeeperOptions options;
    private final Deque<Supplier<Future<?>>> undoings = new ArrayDeque<>();
    private volatile boolean draining;

    private Loopkeeper(Vertx vertx, LoopkeeperOptions options) {
        this.vertx = vertx;
        this.options = options;
    }

    /**
     * Deploys everything; completes when open runs of an earlier runtime were taken up and the parts have started.
     * Fails, with everything undone, with {@code DataFolderInUseException}, {@code DataFolderException}, {@code StoreException} or
     * what a part fails with.
     */
    public static Future<Loopkeeper> start(Vertx vertx, LoopkeeperOptions options) {
        Loopkeeper keeper = new Loopkeeper(vertx, options);
        RecordCodec.register(vertx);
        return keeper.deployAll()
                .map(keeper)
                .recover(cause -> keeper.undo().transform(undone -> Future.failedFuture(cause)));
    }

    private Future<Void> deployAll() {
        return each(part -> part.check(vertx))
                .compose(free -> own())
                .compose(owned -> SqliteEventStore.open(vertx, options.dataFolder()))
                .compose(this::deployOn);
    }

    private Future<Void> own() {
        return OwnedFolder.take(vertx, options.dataFolder()).map(folder -> {
            undoings.push(folder::release);
            return null;
        });
    }

    private Future<Void> deployOn(OpenStore store) {
        undoings.push(store::close);
        LoopkeeperPart.Host host = new LoopkeeperPart.Host(vertx, store, options.dataFolder(), () -> draining);
        SupervisorOptions supervision = SupervisorOptions.of(options.dataFolder())
                .logLimit(options.logLimit())
                .inheriting(options.inherited());
        return deploy(new EventStoreVerticle(store))
                .compose(next -> deploy(new RetentionVerticle(store, options.dataFolder())))
                .compose(next ->
                        deploy(new NotifierVerticle(store, NotifierOptions.of(options.dataFolder()), System.getenv())))
                .compose(next -> each(part -> prepare(part, host)))
                .compose(next -> deploy(new ProcessSupervisorVerticle(
                        supervision, (text, values) -> new PromptTemplate(text).render(values), Normaliser::text)))
                .compose(next -> deploy(new SignalWatcherVerticle(options.dataFolder())))
                .compose(next -> deploy(
                        new LoopSchedulerVerticle(new SchedulerOptions(options.dataFolder(), options.maxRuns()))))
                .compose(next -> deployRetention())
                .compose(next -> deploy(new ControlFilesVerticle()))
                .compose(next -> each(part -> start(part, host)));
    }

    private Future<Void> prepare(LoopkeeperPart part, LoopkeeperPart.Host host) {
        undoings.push(part::stop);
        return part.prepare(host);
    }

    /** Ends first: who asks from outside is told so before what answers is gone. */
    private Future<Void> start(LoopkeeperPart part, LoopkeeperPart.Host host) {
        undoings.push(part::stop);
        return part.start(host);
    }

    private Future<Void> each(Function<LoopkeeperPart, Future<Void>> step) {
        Future<Void> all = Future.succeededFuture();
        for (LoopkeeperPart part : options.parts()) {
            all = all.compose(done -> step.apply(part));
        }
        return all;
    }

    private Future<Void> deployRetention() {
        return options.keepLogs()
                .map(keep -> deploy(new LogRetentionVerticle(options.dataFolder(), keep)))
                .orElseGet(Future::succeededFuture);
    }

    private Future<Void> deploy(VerticleBase verticle) {
        return vertx.deployVerticle(verticle).map(id -> {
            undoings.push(() -> vertx.undeploy(id));
            return null;
        });
    }

    /** Stops this run because its runtime is told to end: it ends {@code error_interrupted}. */
    public Future<Void> interrupt(String runId, String why) {
        return RunChannels.INTERRUPT
                .ask(vertx.eventBus(), new InterruptRun(runId, why), DRAIN_PATIENCE)
                .mapEmpty();
    }

    /** Skips the grace of the agents that {@link #interrupt} and {@link #close} end, from now on. */
    public Future<Void> hurry() {
        return RunChannels.HURRY
                .ask(vertx.eventBus(), new SkipGrace(), DRAIN_PATIENCE)
                .mapEmpty();
    }

    /**
     * Ends orderly: no new work, agents with {@code onRuntimeDeath: keep} live on for the next runtime, the others are
     * stopped, everything is undeployed. The {@link Vertx} stays open.
     */
    public Future<Void> close() {
        draining = true;
        return RunChannels.DRAIN
                .ask(vertx.eventBus(), new Drain(), DRAIN_PATIENCE)
                .<Void>mapEmpty()
                .recover(cause -> {
                    LOG.warn("draining was cut short: {}", cause.getMessage());
                    return Future.succeededFuture();
                })
                .compose(drained -> undo());
    }

    /** What was deployed last goes first; each is tried whatever becomes of the others. */
    private Future<Void> undo() {
        if (undoings.isEmpty()) {
            return Future.succeededFuture();
        }
        return undoings.pop()
                .get()
                .<Void>mapEmpty()
                .recover(cause -> {
                    LOG.warn("an orderly end was disturbed: {}", cause.getMessage());
                    return Future.succeededFuture();
                })
                .compose(undone -> undo());
    }
}
