package dev.loopkeeper.cluster;

import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.LoopkeeperPart;
import dev.loopkeeper.embed.Membership;
import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.LeaseFile;
import dev.loopkeeper.ownership.LeaseInput;
import dev.loopkeeper.ownership.LeaseState;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.SharedSignalFiles;
import dev.loopkeeper.store.postgres.NodeRegistration;
import dev.loopkeeper.store.postgres.NodeRequests;
import dev.loopkeeper.store.postgres.PostgresOptions;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.store.postgres.RunOwners.JoinResult;
import dev.loopkeeper.work.HomeContext;
import dev.loopkeeper.work.Release;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a {@link dev.loopkeeper.embed.Loopkeeper} one of several nodes that share a database. It executes the runs that
 * it owns while it has a lease, and takes over runs of nodes that lost theirs. An instance serves one start; see
 * {@link #member}.
 */
public final class ClusterNode implements LoopkeeperPart {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final Vertx loop;
    private final Path dataFolder;
    private final ClusterOptions options;
    private final Optional<BusSource> bus;
    private final LeasedOwnership ownership;
    private final LeaseFigures figures = new LeaseFigures();
    private final SharedRoots roots;
    private final NodeRegistration registration;
    private final NodeStore store;
    private final HomeContext home;
    private final LeaseLoop lease;
    private final RunClaims claims;
    private final RunOwners own;
    private final RunOwners others;
    private final NodeRuns runs;
    private final RequestSender sender;
    private final NodeQueries queries;
    private final RequestServer server;
    private final RunRouter router;
    private final NodeDuties duties;
    private final SharedSignalFiles signalFiles;
    private final Departure departure;
    private final Warden warden;
    private final WardenWatch watch;
    private final NodeProcessTermination trees;
    private final LeasedNode self;
    private final NodeJoin join;
    private volatile Optional<String> answers = Optional.empty();
    private volatile boolean prepared;
    private volatile boolean leaving;
    private volatile boolean stopped;
    private long pollTimer;

    private ClusterNode(
            Vertx vertx, Path dataFolder, ClusterOptions options, Optional<BusSource> bus, Duration ownerPatience) {
        this.vertx = vertx;
        this.dataFolder = dataFolder;
        this.bus = bus;
        this.options = options;
        this.join = new NodeJoin(options.node(), options.terms());
        this.ownership = new LeasedOwnership(options.node(), options.terms());
        this.roots = new SharedRoots(options.node(), options.roots());
        this.registration = new NodeRegistration(options.node(), roots::placement);
        this.store = new NodeStore(options.store(), registration);
        this.loop = Vertx.vertx(
                new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(2).setInternalBlockingPoolSize(2));
        Context context = loop.getOrCreateContext();
        this.home = new HomeContext(context);
        PostgresOptions quick = options.store().patience(LeaseTerms.ANSWER);
        this.own = new RunOwners(loop, quick);
        this.others = new RunOwners(loop, quick);
        this.lease = new LeaseLoop(loop, context, options.terms(), own, this::facts, new LeaseEffects());
        registration.onFenced(under -> lease.feed(at -> new LeaseInput.Fenced(at, under)));
        FolderFailureLog failureLog = new FolderFailureLog(dataFolder);
        this.warden = new Warden(dataFolder);
        this.watch = new WardenWatch(loop, home, warden, lease, failureLog, () -> stopped);
        this.trees = new NodeProcessTermination(loop, warden, lease, failureLog, () -> leaving, () -> stopped);
        this.runs = new NodeRuns(loop, ownership, figures, vertx.eventBus(), () -> stopped);
        this.claims = new RunClaims(options, roots.paths(), ownership, others, figures, runs::resume, runs);
        this.duties = new NodeDuties(options.node(), home, others, ownership);
        this.signalFiles = new NodeSignalFiles(options.node(), roots, ownership, home, others);
        this.departure = new Departure(options.node(), own, store::get);
        this.self = new LeasedNode(options, roots.paths(), ownership, store::get, home, others, claims, runs);
        NodeRequests requests = new NodeRequests(vertx, options.store(), registration.hints());
        this.sender = new RequestSender(vertx, options.node(), requests);
        this.queries = new NodeQueries(vertx.eventBus(), sender, self::isLost);
        RunCommands commands = new RunCommands(vertx.eventBus(), options.node(), store::get);
        this.server = new RequestServer(vertx, self, requests, queries, commands);
        this.router = new RunRouter(vertx, self, sender, server::isExecuting, store::get, ownerPatience);
    }

    /**
     * Returns the options of a Loopkeeper that is this node. A clustered Vert.x also wakes the other nodes and
     * carries the events of all nodes.
     */
    public static LoopkeeperOptions member(Vertx vertx, LoopkeeperOptions engine, ClusterOptions options) {
        Optional<BusSource> bus = vertx.isClustered() ? Optional.of(BusSource.embedders(vertx)) : Optional.empty();
        return member(engine, new ClusterNode(vertx, engine.dataFolder(), options, bus, RunRouter.PATIENCE));
    }

    /** A node without a bus, with another time limit for owners that take no command; for tests on a loaded machine. */
    static LoopkeeperOptions member(
            Vertx vertx, LoopkeeperOptions engine, ClusterOptions options, Duration ownerPatience) {
        return member(engine, new ClusterNode(vertx, engine.dataFolder(), options, Optional.empty(), ownerPatience));
    }

    /**
     * The same with a separate clustered Vert.x, which the node closes.
     *
     * @param bus joins the cluster, e.g. {@link HazelcastBus}; may block, and is called again after a failure
     */
    public static LoopkeeperOptions member(
            Vertx vertx, LoopkeeperOptions engine, ClusterOptions options, Callable<Future<Vertx>> bus) {
        return member(
                engine,
                new ClusterNode(
                        vertx, engine.dataFolder(), options, Optional.of(BusSource.own(bus)), RunRouter.PATIENCE));
    }

    private static LoopkeeperOptions member(LoopkeeperOptions engine, ClusterNode node) {
        return engine.store((opener, data) -> node.store.open(opener, data).recover(node::refuse))
                .member(Membership.of(node.ownership, node.router, node.duties, node.signalFiles))
                .with(node);
    }

    private RunOwners.NodeFacts facts() {
        return new RunOwners.NodeFacts(
                options.node(),
                store.folder(),
                options.url().get(),
                Release.version(),
                roots.paths(),
                options.mostRuns(),
                options.terms());
    }

    @Override
    public Future<Void> check(Vertx asker) {
        return new HomeContext(asker.getOrCreateContext())
                .bring(home.call(() -> new StartCheck(loop, options, roots, others, dataFolder).check())
                        .recover(this::refuse));
    }

    private <T> Future<T> refuse(Throwable why) {
        return closeAll()
                .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .transform(closed -> Future.failedFuture(why));
    }

    /** Joins before the engine loads runs, so that the node's own runs are known by then. */
    @Override
    public Future<Void> prepare(Host host) {
        prepared = true;
        sender.begin();
        server.begin();
        return vertx.deployVerticle(new NodeVerticle(
                        self, options.store(), options.url(), figures, queries, registration.hints(), bus))
                .compose(id -> {
                    answers = Optional.of(id);
                    return join();
                });
    }

    private Future<Void> join() {
        Future<Optional<BootTime>> begun = loop.executeBlocking(() -> watch.begin(ownership::gate), false);
        return begun.compose(inherited -> home.call(() -> roots.prove(loop, own))
                .compose(proven -> home.call(others::nodes))
                .compose(look -> {
                    lease.start(inherited);
                    return join.await(look);
                }));
    }

    @Override
    public Future<Void> start(Host host) {
        return home.call(() -> {
                    pollTimer = loop.setPeriodic(LeaseTerms.CHECK_INTERVAL.toMillis(), due -> {
                        claims.poll();
                        duties.poll();
                    });
                    return runs.serve();
                })
                .compose(taken -> server.beginRuns());
    }

    /** Called twice: first stops commands from outside; after the engine has stopped, releases the node's runs. */
    @Override
    public Future<Void> stop() {
        if (runs.isServing() && !leaving) {
            leaving = true;
            return home.call(() -> {
                        boolean unused = loop.cancelTimer(pollTimer);
                        return claims.stop();
                    })
                    .compose(still -> server.endRuns());
        }
        if (stopped) {
            return Future.succeededFuture();
        }
        stopped = true;
        leaving = true;
        Future<Void> left = departure.begin();
        duties.end().onComplete(released -> lease.feed(LeaseInput.Leave::new));
        return left.timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .onFailure(cause -> LOG.warn("this node has not released all its runs: {}", cause.getMessage()))
                .transform(gone -> closeAll());
    }

    private Future<Void> closeAll() {
        lease.stop();
        return Future.join(home.call(own::close), home.call(others::close), server.close())
                .transform(closed -> answers.map(vertx::undeploy).orElseGet(Future::succeededFuture))
                .transform(closed -> sender.close())
                .transform(closed -> prepared ? watch.end() : Future.succeededFuture())
                .transform(ended -> loop.close());
    }

    /** Executes what the lease rules decide, on the loop. */
    private final class LeaseEffects implements LeaseLoop.Effects {
        @Override
        public void stateChanged(LeaseState state) {
            ownership.update(state);
            figures.update(state, BootClock.now());
        }

        @Override
        public void write(LeaseFile file) {
            try {
                warden.write(file);
            } catch (IOException refused) {
                throw new UncheckedIOException(refused);
            }
        }

        @Override
        public void resumeRuns(JoinResult.Joined joined) {
            registration.take(joined.incarnation());
            runs.resume(joined, trees.takeEndedFlag());
            LOG.info(
                    "node {} has its lease, with {} runs",
                    options.node(),
                    joined.runs().size());
            join.granted();
        }

        @Override
        public void dropRuns() {
            ownership.drop();
            duties.drop();
            runs.drop();
        }

        @Override
        public void endTrees(BootTime killAt) {
            LOG.warn("this node has no lease, so it stops its processes");
            trees.end(killAt);
        }

        @Override
        public void release(long incarnation) {
            departure.release(incarnation);
        }

        @Override
        public void left() {
            departure.left();
        }

        @Override
        public void joinRefused(String reason) {
            join.refused(reason);
        }
    }
}
