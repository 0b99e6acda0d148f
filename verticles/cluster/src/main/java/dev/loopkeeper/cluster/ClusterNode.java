package dev.loopkeeper.cluster;

import dev.loopkeeper.data.DataFolderException;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.LoopkeeperPart;
import dev.loopkeeper.embed.Membership;
import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.LeaseFile;
import dev.loopkeeper.ownership.LeaseInput;
import dev.loopkeeper.ownership.LeaseState;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.postgres.CommandInbox;
import dev.loopkeeper.store.postgres.NodeSeat;
import dev.loopkeeper.store.postgres.PostgresCommandInbox;
import dev.loopkeeper.store.postgres.PostgresEventStore;
import dev.loopkeeper.store.postgres.PostgresOptions;
import dev.loopkeeper.store.postgres.PostgresRunOwners;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.store.postgres.RunOwners.Answer;
import dev.loopkeeper.work.BootId;
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
 * Makes a {@link dev.loopkeeper.embed.Loopkeeper} one of several that share a database: it carries out the runs that it
 * owns, as long as it has its lease, and takes over those of nodes that have lost theirs. One object serves one start;
 * see {@link #member}.
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
    private final NodeSeat seat;
    private final HomeContext home;
    private final LeaseLoop lease;
    private final RunClaims claims;
    private final RunOwners own;
    private final RunOwners others;
    private final NodeRuns runs;
    private final CommandInbox inbox;
    private final RunRouter router;
    private final NodeDuties duties;
    private final Departure departure;
    private final Warden warden;
    private final WardenWatch watch;
    private final NodeTrees trees;
    private final LeasedSeat self;
    private final NodeJoin join;
    private volatile Optional<String> answers = Optional.empty();
    private volatile Optional<OpenStore> store = Optional.empty();
    private volatile String folder = "";
    private volatile String boot = "";
    private volatile boolean prepared;
    private volatile boolean leaving;
    private volatile boolean stopped;
    private long watching;

    private ClusterNode(
            Vertx vertx, Path dataFolder, ClusterOptions options, Optional<BusSource> bus, Duration ownerPatience) {
        this.vertx = vertx;
        this.dataFolder = dataFolder;
        this.bus = bus;
        this.options = options;
        this.join = new NodeJoin(options.node(), options.terms());
        this.ownership = new LeasedOwnership(options.node(), options.terms());
        this.roots = new SharedRoots(options.node(), options.roots());
        this.seat = new NodeSeat(options.node(), roots::placement);
        this.loop = Vertx.vertx(
                new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(2).setInternalBlockingPoolSize(2));
        Context context = loop.getOrCreateContext();
        this.home = new HomeContext(context);
        PostgresOptions quick = options.store().patience(LeaseTerms.ANSWER);
        this.own = PostgresRunOwners.of(loop, quick);
        this.others = PostgresRunOwners.of(loop, quick);
        this.lease = new LeaseLoop(loop, context, options.terms(), own, this::facts, new Acts());
        seat.onFenced(under -> lease.feed(at -> new LeaseInput.Fenced(at, under)));
        FolderTrouble trouble = new FolderTrouble(dataFolder);
        this.warden = new Warden(dataFolder);
        this.watch = new WardenWatch(loop, home, warden, lease, trouble, () -> stopped);
        this.trees = new NodeTrees(loop, warden, lease, trouble, () -> leaving, () -> stopped);
        EngineRuns engine = new EngineRuns(vertx.eventBus());
        this.runs = new NodeRuns(loop, ownership, figures, engine, () -> stopped);
        this.claims = new RunClaims(options, roots.paths(), ownership, others, figures, runs::carryOn, engine);
        this.duties = new NodeDuties(options.node(), home, others, ownership);
        this.departure = new Departure(options.node(), own, this::store);
        this.self = new LeasedSeat(options, roots.paths(), ownership, this::store, home, others, claims, runs);
        this.inbox = PostgresCommandInbox.of(vertx, options.store(), seat.hints());
        this.router = new RunRouter(vertx, self, inbox, this::store, ownerPatience);
    }

    /**
     * The same options, for a Loopkeeper that is this node. A clustered Vert.x is used as it is to tell the other nodes
     * when to look into the database, and to read what lies on their disks.
     */
    public static LoopkeeperOptions member(Vertx vertx, LoopkeeperOptions engine, ClusterOptions options) {
        Optional<BusSource> bus = vertx.isClustered() ? Optional.of(BusSource.embedders(vertx)) : Optional.empty();
        return member(engine, new ClusterNode(vertx, engine.dataFolder(), options, bus, RunRouter.PATIENCE));
    }

    /** Without a bus, and with another patience with an owner that takes no command: for a machine in use. */
    static LoopkeeperOptions member(
            Vertx vertx, LoopkeeperOptions engine, ClusterOptions options, Duration ownerPatience) {
        return member(engine, new ClusterNode(vertx, engine.dataFolder(), options, Optional.empty(), ownerPatience));
    }

    /**
     * The same, with a clustered Vert.x for that alone, which the node ends with itself.
     *
     * @param bus joins it, e.g. {@link HazelcastBus}; may block, and is called again where that failed
     */
    public static LoopkeeperOptions member(
            Vertx vertx, LoopkeeperOptions engine, ClusterOptions options, Callable<Future<Vertx>> bus) {
        return member(
                engine,
                new ClusterNode(
                        vertx, engine.dataFolder(), options, Optional.of(BusSource.own(bus)), RunRouter.PATIENCE));
    }

    private static LoopkeeperOptions member(LoopkeeperOptions engine, ClusterNode node) {
        return engine.store(node::openStore)
                .member(Membership.of(node.ownership, node.router, node.duties))
                .with(node);
    }

    /** Opened before this node has a lease or a run. */
    private OpenStore store() {
        return store.orElseThrow();
    }

    private Future<OpenStore> openStore(Vertx opener, Path data) {
        return PostgresEventStore.openNode(opener, options.store(), seat)
                .compose(opened -> opener.executeBlocking(() -> PostgresEventStore.folderMark(data), false)
                        .map(mark -> {
                            folder = mark;
                            store = Optional.of(opened);
                            return opened;
                        })
                        .recover(refused -> opened.close().transform(closed -> Future.failedFuture(refused))))
                .recover(this::refuse);
    }

    private RunOwners.NodeFacts facts() {
        return new RunOwners.NodeFacts(
                options.node(),
                folder,
                options.url().get(),
                boot,
                Release.version(),
                roots.paths(),
                options.mostRuns(),
                options.terms());
    }

    @Override
    public Future<Void> check(Vertx asker) {
        return new HomeContext(asker.getOrCreateContext())
                .bring(home.call(() -> new StartCheck(loop, options, roots, others, dataFolder).look())
                        .recover(this::refuse));
    }

    private <T> Future<T> refuse(Throwable why) {
        return closeAll()
                .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .transform(closed -> Future.failedFuture(why));
    }

    /** Before any run is taken up: which are its own is known then. */
    @Override
    public Future<Void> prepare(Host host) {
        prepared = true;
        return vertx.deployVerticle(new NodeAnswers(self, options.store(), options.url(), figures, seat.hints(), bus))
                .compose(id -> {
                    answers = Optional.of(id);
                    return join();
                });
    }

    private Future<Void> join() {
        Future<Optional<BootTime>> begun = loop.executeBlocking(this::placeOfLease, false);
        return begun.compose(inherited -> home.call(() -> roots.prove(loop, own))
                .compose(proven -> home.call(others::look))
                .compose(look -> {
                    lease.start(inherited);
                    return join.await(look);
                }));
    }

    @Override
    public Future<Void> start(Host host) {
        return home.call(() -> {
                    watching = loop.setPeriodic(LeaseTerms.CHECK_INTERVAL.toMillis(), due -> {
                        claims.look();
                        duties.look();
                    });
                    return runs.serve();
                })
                .compose(taken -> router.begin());
    }

    /** Makes it, and answers when the lease of an earlier runtime ends. Fails with {@link DataFolderException}. */
    private Optional<BootTime> placeOfLease() {
        try {
            boot = BootId.current().orElse("");
            ownership.gate(warden.install());
            Optional<BootTime> inherited = warden.lease().map(LeaseFile::deadline);
            watch.begin();
            return inherited;
        } catch (IOException refused) {
            String why = "the data folder " + dataFolder + " cannot take this node's lease: " + refused
                    + ". Check the rights and the room on this disk.";
            throw new DataFolderException(why, refused);
        }
    }

    /** First what comes from outside ends, and at last, when the engine is still, the node lets go of its runs. */
    @Override
    public Future<Void> stop() {
        if (runs.isServing() && !leaving) {
            leaving = true;
            return home.call(() -> {
                        boolean unused = loop.cancelTimer(watching);
                        return claims.stop();
                    })
                    .compose(still -> router.end());
        }
        if (stopped) {
            return Future.succeededFuture();
        }
        stopped = true;
        leaving = true;
        Future<Void> left = departure.begin();
        duties.end().onComplete(given -> lease.feed(LeaseInput.Leave::new));
        return left.timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .onFailure(late -> LOG.warn("this node has not let go of all its runs: {}", late.getMessage()))
                .transform(over -> closeAll());
    }

    private Future<Void> closeAll() {
        lease.stop();
        return Future.join(home.call(own::close), home.call(others::close), inbox.close())
                .transform(closed -> answers.map(vertx::undeploy).orElseGet(Future::succeededFuture))
                .transform(closed -> prepared ? watch.end() : Future.succeededFuture())
                .transform(over -> loop.close());
    }

    /** What the rules ask for. On the loop. */
    private final class Acts implements LeaseLoop.Node {
        @Override
        public void stands(LeaseState state) {
            ownership.stands(state);
            figures.stands(state, BootClock.now());
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
        public void takeUp(Answer.Joined joined) {
            seat.take(joined.incarnation());
            runs.takeUp(joined, trees.takeEnded());
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
            LOG.warn("this node has no lease: its processes are ended");
            trees.end(killAt);
        }

        @Override
        public void letGo(long incarnation) {
            departure.letGo(incarnation);
        }

        @Override
        public void left() {
            departure.left();
        }

        @Override
        public void giveUp(String reason) {
            join.refused(reason);
        }
    }
}
