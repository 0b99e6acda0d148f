package dev.loopkeeper.embed;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.Drain;
import dev.loopkeeper.control.ControlFilesVerticle;
import dev.loopkeeper.handler.RegisteredHandlers;
import dev.loopkeeper.notify.NotifierOptions;
import dev.loopkeeper.notify.NotifierVerticle;
import dev.loopkeeper.process.ProcessSupervisorVerticle;
import dev.loopkeeper.process.SupervisorOptions;
import dev.loopkeeper.retention.LogRetentionVerticle;
import dev.loopkeeper.retention.RetentionVerticle;
import dev.loopkeeper.schedule.ScheduleVerticle;
import dev.loopkeeper.scheduler.LoopSchedulerVerticle;
import dev.loopkeeper.scheduler.SchedulerOptions;
import dev.loopkeeper.signal.SignalWatcherVerticle;
import dev.loopkeeper.store.ClusterEvents;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStoreVerticle;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.PolicyKeeper;
import dev.loopkeeper.store.PolicyVerticle;
import dev.loopkeeper.verdict.Normaliser;
import dev.loopkeeper.work.HostName;
import dev.loopkeeper.work.Release;
import dev.loopkeeper.worktree.WorktreesVerticle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys the parts of one {@link Loopkeeper} and stops them in order. Closing the Vertx, or undeploying the verticle
 * that started it, stops them too.
 */
final class Deployment {
    /** Longest wait for draining; the scheduler itself waits for the grace of the agents. */
    static final Duration DRAIN_TIMEOUT = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(Deployment.class);

    private final Vertx vertx;
    private final LoopkeeperOptions.Values options;
    private final RunFollowers followers;
    private final Runnable whenLeft;
    /**
     * Stops what works with the data folder, newest first; the second queue stops the folder, the loop and the workers.
     */
    private final Deque<Supplier<Future<?>>> cleanups = new ConcurrentLinkedDeque<>();

    private final Deque<Supplier<Future<?>>> baseCleanups = new ConcurrentLinkedDeque<>();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicBoolean leaving = new AtomicBoolean();
    private final Promise<Void> left = Promise.promise();
    private final EngineLoop loop = new EngineLoop(this::leave);
    private final OpenFolder folder;
    private volatile boolean ending;
    /** Set before the first part is prepared. */
    private volatile LoopkeeperPart.Host host;

    /**
     * @param whenLeft runs when the engine has stopped
     * @param last runs at the end
     */
    Deployment(
            Vertx vertx,
            LoopkeeperOptions.Values options,
            RunFollowers followers,
            Runnable whenLeft,
            Supplier<Future<?>> last) {
        this.vertx = vertx;
        this.options = options;
        this.followers = followers;
        this.whenLeft = whenLeft;
        this.folder = new OpenFolder(options.dataFolder(), options.store(), this::leave);
        baseCleanups.push(last);
    }

    /** See {@link Loopkeeper#start}. */
    Future<OpenStore> start() {
        RecordCodec.register(vertx);
        Promise<OpenStore> started = Promise.promise();
        deployAll()
                .recover(cause -> end().transform(undone -> Future.failedFuture(cause)))
                .onComplete(started::tryComplete, started::tryFail);
        // A closed event loop completes no future, so the end of the folder fails the start.
        folder.ended().onComplete(over -> {
            if (!ending) {
                started.tryFail(new LoopkeeperClosedException());
            }
        });
        return started.future();
    }

    private Future<OpenStore> deployAll() {
        return each(part -> part.check(vertx))
                .compose(free -> deploy(folder))
                .compose(deployed -> folder.open())
                .compose(store -> deployOn(store).map(store))
                .onSuccess(started ->
                        LOG.info("Loopkeeper {} has started in {}", Release.version(), options.dataFolder()));
    }

    private Future<Void> deployOn(OpenStore store) {
        host = new LoopkeeperPart.Host(
                vertx,
                store,
                options.dataFolder(),
                draining::get,
                options.maxRuns(),
                options.membership().ownership()::isOwn);
        useHandlers();
        PolicyKeeper policies = new PolicyKeeper(vertx, store);
        SupervisorOptions supervision = SupervisorOptions.of(options.dataFolder())
                .logLimit(options.logLimit())
                .inheriting(options.inherited());
        return deploy(loop)
                .compose(next -> host(new EventStoreVerticle(store)))
                .compose(next -> host(new PolicyVerticle(
                        policies, options.membership().ownership().node().isPresent())))
                .compose(next -> publishInCluster())
                // Deployed before the retention, whose interrupted removals need git worktrees.
                .compose(next -> host(new WorktreesVerticle(options.dataFolder())))
                .compose(next -> host(new RetentionVerticle(store, options.dataFolder())))
                .compose(next -> host(new NotifierVerticle(
                        store,
                        NotifierOptions.of(options.dataFolder()).linking(options.publicUrl()),
                        System.getenv(),
                        options.membership().duties())))
                .compose(next -> each(this::prepare))
                .compose(next -> host(new ProcessSupervisorVerticle(supervision, Normaliser::text)))
                .compose(next -> host(new SignalWatcherVerticle(options.dataFolder())))
                .compose(next -> host(scheduler(store, policies)))
                .compose(next -> deploySchedules(store, policies))
                .compose(next -> deployRetention(store))
                .compose(next -> host(
                        new ControlFilesVerticle(store, options.membership().ownership())))
                .compose(next -> host(followers))
                .compose(next -> each(this::start));
    }

    private void useHandlers() {
        options.handlers().use(vertx);
        baseCleanups.push(() -> {
            RegisteredHandlers.NONE.use(vertx);
            return Future.succeededFuture();
        });
    }

    private LoopSchedulerVerticle scheduler(OpenStore store, PolicyKeeper policies) {
        return new LoopSchedulerVerticle(
                store,
                new SchedulerOptions(options.dataFolder(), options.maxRuns()),
                options.membership().ownership(),
                options.membership().routing(),
                options.membership().signalFiles(),
                policies);
    }

    /** See {@link Loopkeeper#attach}. */
    Future<Void> attach(LoopkeeperPart part) {
        return unlessLeaving(() -> part.check(vertx)
                .compose(fine -> prepare(part))
                .compose(prepared -> start(part))
                .recover(cause -> part.stop().transform(stopped -> Future.failedFuture(cause))));
    }

    private Future<Void> prepare(LoopkeeperPart part) {
        cleanups.push(part::stop);
        return part.prepare(host);
    }

    /** Starts a part, which stops first: its clients learn of the shutdown before the engine stops. */
    private Future<Void> start(LoopkeeperPart part) {
        cleanups.push(part::stop);
        return part.start(host);
    }

    private Future<Void> each(Function<LoopkeeperPart, Future<Void>> step) {
        Future<Void> all = Future.succeededFuture();
        for (LoopkeeperPart part : options.parts()) {
            all = all.compose(done -> step.apply(part));
        }
        return all;
    }

    private Future<Void> publishInCluster() {
        if (!vertx.isClustered()) {
            return Future.succeededFuture();
        }
        String node = options.membership().ownership().node().orElseGet(() -> HostName.of(System.getenv()));
        MessageConsumer<?> publishing = ClusterEvents.publish(vertx, vertx, node);
        cleanups.push(publishing::unregister);
        return publishing.completion();
    }

    private Future<Void> deploySchedules(EventStore store, PolicyKeeper policies) {
        Membership member = options.membership();
        return host(new ScheduleVerticle(
                store,
                policies,
                member.ownership(),
                member.signalFiles(),
                member.duties(),
                System.getenv(),
                options.scheduledIn(),
                options.schedules()));
    }

    private Future<Void> deployRetention(EventStore store) {
        return options.keepLogs()
                .map(keep -> host(new LogRetentionVerticle(store, options.dataFolder(), keep)))
                .orElseGet(Future::succeededFuture);
    }

    private Future<Void> host(VerticleBase verticle) {
        return unlessLeaving(() -> loop.host(verticle).map(hosted -> {
            cleanups.push(() -> loop.leave(verticle));
            return null;
        }));
    }

    private Future<Void> deploy(VerticleBase verticle) {
        return unlessLeaving(() -> vertx.deployVerticle(verticle).map(id -> {
            baseCleanups.push(() -> vertx.undeploy(id));
            return null;
        }));
    }

    private Future<Void> unlessLeaving(Supplier<Future<Void>> deployment) {
        return leaving.get() ? Future.failedFuture(new LoopkeeperClosedException()) : deployment.get();
    }

    /** Shuts down completely. This drains first, since Vert.x does not wait for undeployments started elsewhere. */
    Future<Void> end() {
        ending = true;
        return leave().compose(left -> runCleanups(baseCleanups));
    }

    /** Drains and stops everything but the folder and the loop; runs once, for the first caller. */
    private Future<Void> leave() {
        if (leaving.compareAndSet(false, true)) {
            drain().compose(drained -> runCleanups(cleanups))
                    .eventually(folder::giveBack)
                    .onComplete(over -> {
                        whenLeft.run();
                        left.complete();
                    });
        }
        return left.future();
    }

    private Future<Void> drain() {
        draining.set(true);
        // Without the folder, another Loopkeeper in this Vert.x would answer.
        if (!folder.isOpen()) {
            return Future.succeededFuture();
        }
        return Future.succeededFuture()
                .compose(now -> SchedulerChannels.DRAIN.ask(vertx.eventBus(), new Drain(), DRAIN_TIMEOUT))
                .<Void>mapEmpty()
                .recover(cause -> {
                    // Without a handler no run was recovered yet, or all were released.
                    if (!RequestChannel.hasNoHandler(cause)) {
                        LOG.warn("draining did not complete: {}", cause.getMessage());
                    }
                    return Future.succeededFuture();
                });
    }

    /** Runs the cleanups, newest first; a failed one does not prevent the others. */
    private static Future<Void> runCleanups(Deque<Supplier<Future<?>>> cleanups) {
        Supplier<Future<?>> cleanup = cleanups.poll();
        if (cleanup == null) {
            return Future.succeededFuture();
        }
        return Future.succeededFuture()
                .compose(now -> cleanup.get())
                .<Void>mapEmpty()
                .recover(cause -> {
                    LOG.warn("closing did not complete in order: {}", cause.getMessage());
                    return Future.succeededFuture();
                })
                .compose(undone -> runCleanups(cleanups));
    }
}
