package dev.loopkeeper.cluster;

import dev.loopkeeper.contract.run.DropRuns;
import dev.loopkeeper.contract.run.LetRunsGo;
import dev.loopkeeper.contract.run.ListWaiting;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.contract.run.TakeUpRuns;
import dev.loopkeeper.contract.run.WaitingRuns;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.LoopkeeperPart;
import dev.loopkeeper.embed.Membership;
import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.LeaseFile;
import dev.loopkeeper.ownership.LeaseInput;
import dev.loopkeeper.ownership.LeaseState;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.ownership.Placement;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.BusEventStore;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoredRun;
import dev.loopkeeper.store.postgres.CommandInbox;
import dev.loopkeeper.store.postgres.NodeSeat;
import dev.loopkeeper.store.postgres.PostgresCommandInbox;
import dev.loopkeeper.store.postgres.PostgresEventStore;
import dev.loopkeeper.store.postgres.PostgresOptions;
import dev.loopkeeper.store.postgres.PostgresRunOwners;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.store.postgres.RunOwners.Answer;
import dev.loopkeeper.store.postgres.RunOwners.OwnedRun;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a {@link dev.loopkeeper.embed.Loopkeeper} one of several that share a database: it carries out the runs that it
 * owns, as long as it has its lease, and takes over those of nodes that have lost theirs. One object serves one start;
 * see {@link #member}.
 */
public final class ClusterNode implements LoopkeeperPart, RunRouter.Seat {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration AGAIN_AFTER = Duration.ofMillis(250);
    private static final Duration LOOK_AT_TREES = Duration.ofMillis(50);
    private static final Duration WITHOUT_PLACE = Duration.ofSeconds(1);
    private static final String NO_SIGNAL = "0";

    private final Vertx vertx;
    private final Vertx loop;
    private final Path dataFolder;
    private final ClusterOptions options;
    private final Optional<BusSource> bus;
    private final LeasedOwnership ownership;
    private final LeaseFigures figures = new LeaseFigures();
    private final SharedRoots roots;
    private final NodeSeat seat;
    private final Context context;
    private final HomeContext home;
    private final LeaseLoop lease;
    private final RunClaims claims;
    private final RunOwners own;
    private final RunOwners others;
    private final EventStore runs;
    private final CommandInbox inbox;
    private final RunRouter router;
    private final NodeDuties duties;
    private final Promise<Void> member = Promise.promise();
    private Optional<Warden> warden = Optional.empty();
    private volatile Optional<String> answers = Optional.empty();
    private volatile Optional<OpenStore> store = Optional.empty();
    private volatile String folder = "";
    private volatile String boot = "";
    /** What was told of as failing and has not succeeded since. On the loop. */
    private final Set<String> told = new HashSet<>();

    /** Whether this node's processes were ended since it last took its runs up. On the loop. */
    private boolean ended;
    /** Completes when the engine has forgotten what it had. On the loop. */
    private Future<Void> dropped = Future.succeededFuture();
    /** Runs whose processes are gone, to be carried on when the engine serves. On the loop. */
    private Optional<Answer.Joined> deferred = Optional.empty();

    private volatile boolean serving;
    private volatile boolean leaving;
    private volatile boolean stopped;
    private volatile Optional<Promise<Void>> leave = Optional.empty();
    private long watching;

    private ClusterNode(
            Vertx vertx, Path dataFolder, ClusterOptions options, Optional<BusSource> bus, Duration ownerPatience) {
        this.vertx = vertx;
        this.dataFolder = dataFolder;
        this.bus = bus;
        this.options = options;
        this.ownership = new LeasedOwnership(options.node(), options.terms());
        this.roots = new SharedRoots(options.node(), options.roots());
        this.seat = new NodeSeat(options.node(), roots::placement);
        this.loop = Vertx.vertx(
                new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(2).setInternalBlockingPoolSize(2));
        this.context = loop.getOrCreateContext();
        this.home = new HomeContext(context);
        PostgresOptions quick = options.store().patience(LeaseTerms.ANSWER);
        this.own = PostgresRunOwners.of(loop, quick);
        this.others = PostgresRunOwners.of(loop, quick);
        this.lease = new LeaseLoop(loop, context, options.terms(), own, this::facts, new Acts());
        seat.onFenced(under -> lease.feed(at -> new LeaseInput.Fenced(at, under)));
        this.runs = new BusEventStore(vertx.eventBus());
        this.inbox = PostgresCommandInbox.of(vertx, options.store(), seat.hints());
        this.router = new RunRouter(vertx, this, inbox, runs, ownerPatience);
        this.duties = new NodeDuties(options.node(), home, others, ownership);
        this.claims = new RunClaims(options, roots.paths(), ownership, others, figures, this::carryOn, new Waiting());
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
        int places = options.places() == 0 ? Integer.MAX_VALUE : options.places();
        String version = Optional.ofNullable(ClusterNode.class.getPackage().getImplementationVersion())
                .orElse("");
        return new RunOwners.NodeFacts(
                options.node(), folder, options.url().get(), boot, version, roots.paths(), places, options.terms());
    }

    @Override
    public String node() {
        return options.node();
    }

    @Override
    public boolean isLive() {
        return ownership.isLive();
    }

    @Override
    public boolean isOwn(String runId) {
        return ownership.isOwn(runId);
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
        Warden beside = new Warden(host.dataFolder());
        warden = Optional.of(beside);
        return vertx.deployVerticle(new NodeAnswers(this, options.store(), options.url(), figures, seat.hints(), bus))
                .compose(id -> {
                    answers = Optional.of(id);
                    return join(beside);
                });
    }

    private Future<Void> join(Warden beside) {
        Future<Optional<BootTime>> begun = loop.executeBlocking(
                () -> {
                    boot = BootClock.bootId();
                    ownership.gate(beside.install());
                    Optional<BootTime> inherited = beside.lease().map(LeaseFile::deadline);
                    watch(beside.start());
                    return inherited;
                },
                false);
        return begun.compose(inherited -> home.call(() -> roots.prove(loop, own))
                .compose(proven -> home.call(others::look))
                .compose(look -> {
                    lease.start(inherited);
                    return member.future().timeout(patience(look).toMillis(), TimeUnit.MILLISECONDS);
                }));
    }

    /** Another folder with this node's name is waited for as long as its own lease is. */
    private Duration patience(RunOwners.Look look) {
        return look.nodes().stream()
                .map(RunOwners.NodeRow::facts)
                .filter(facts -> facts.node().equals(options.node()))
                .map(facts -> facts.terms().lease())
                .reduce(options.terms().lease(), (one, other) -> one.compareTo(other) < 0 ? other : one)
                .multipliedBy(2)
                .plus(PATIENCE);
    }

    @Override
    public Future<Void> start(Host host) {
        return home.call(() -> {
                    serving = true;
                    Optional<Answer.Joined> moved = deferred;
                    deferred = Optional.empty();
                    watching = loop.setPeriodic(LeaseTerms.LOOK.toMillis(), due -> {
                        claims.look();
                        duties.look();
                    });
                    return moved.map(this::carryOnMoved).orElseGet(Future::succeededFuture);
                })
                .compose(taken -> router.begin());
    }

    /** First what comes from outside ends, and at last, when the engine is still, the node lets go of its runs. */
    @Override
    public Future<Void> stop() {
        if (serving && !leaving) {
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
        Promise<Void> left = Promise.promise();
        leave = Optional.of(left);
        duties.end().onComplete(given -> lease.feed(LeaseInput.Leave::new));
        return left.future()
                .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .onFailure(late -> LOG.warn("this node has not let go of all its runs: {}", late.getMessage()))
                .transform(over -> closeAll());
    }

    private Future<Void> closeAll() {
        lease.stop();
        return Future.join(home.call(own::close), home.call(others::close), inbox.close())
                .transform(closed -> answers.map(vertx::undeploy).orElseGet(Future::succeededFuture))
                .transform(closed -> loop.executeBlocking(
                        () -> {
                            if (warden.isPresent()) {
                                if (warden.get().signal(NO_SIGNAL) == 0) {
                                    warden.get().dismiss();
                                }
                                warden.get().close();
                            }
                            return null;
                        },
                        false))
                .transform(over -> loop.close());
    }

    /** Whoever ends the warden gets another; without one the processes end while there is still somebody to end them. */
    private void watch(Process process) {
        Future.fromCompletionStage(process.onExit()).onSuccess(over -> {
            if (!stopped) {
                LOG.warn("the warden has ended with {} and is started anew", over.exitValue());
                home.run(() -> restart(BootClock.now()));
            }
        });
    }

    private void restart(BootTime since) {
        Future<Process> started =
                loop.executeBlocking(() -> warden.orElseThrow().start(), false);
        started.onSuccess(beside -> {
            told.clear();
            watch(beside);
        });
        started.onFailure(cause -> {
            tell("the warden cannot be started, so this node ends its processes", cause);
            if (BootClock.now().since(since).compareTo(LeaseTerms.WITHOUT_WARDEN) >= 0) {
                lease.feed(LeaseInput.WardenLost::new);
            }
            if (!stopped) {
                loop.setTimer(AGAIN_AFTER.toMillis(), due -> restart(since));
            }
        });
    }

    /** Once, until it was seen to go again: what is tried anew some times a second would fill the log. On the loop. */
    private void tell(String what, Throwable cause) {
        if (told.add(what + cause)) {
            LOG.error("{}: {}. Look at the data folder {} and its disk", what, cause.toString(), dataFolder);
        }
    }

    private Future<Void> carryOn(List<OwnedRun> claimed, long incarnation) {
        if (!ownership.take(claimed, incarnation)) {
            return Future.succeededFuture();
        }
        figures.takenOver(claimed.size());
        claimed.forEach(run -> LOG.info("run {} is carried on here, epoch {}", run.runId(), run.epoch()));
        return dropped.transform(forgotten -> takeUp(claimed, true));
    }

    private Future<Void> carryOnMoved(Answer.Joined joined) {
        return carryOn(joined.runs(), joined.incarnation());
    }

    private Future<Void> takeUp(List<OwnedRun> owned, boolean moved) {
        List<String> ids = owned.stream().map(OwnedRun::runId).toList();
        return ids.isEmpty()
                ? Future.succeededFuture()
                : RunChannels.TAKE_UP
                        .ask(vertx.eventBus(), new TakeUpRuns(ids, moved), PATIENCE)
                        .<Void>mapEmpty()
                        .onFailure(cause -> LOG.error("runs cannot be taken up: {}", ids, cause));
    }

    @Override
    public Future<Boolean> takeNow(String runId) {
        return runs.find(runId)
                .compose(row -> row.isEmpty()
                        ? Future.succeededFuture(false)
                        : home.call(() -> takeNow(
                                runId, RunStatus.ENDED.contains(row.get().status()))));
    }

    @Override
    public Future<Boolean> hasOwner(String runId) {
        return home.call(() -> others.owner(runId))
                .map(found -> found.flatMap(RunOwners.Owner::node).isPresent());
    }

    private Future<Boolean> takeNow(String runId, boolean over) {
        long term = ownership.term();
        return others.owner(runId).compose(found -> {
            Optional<RunOwners.Owner> owner = found;
            if (owner.isEmpty() || !ownership.isLive()) {
                return Future.succeededFuture(false);
            }
            if (owner.get().node().equals(Optional.of(node()))) {
                if (over) {
                    return Future.succeededFuture(ownership.take(
                            List.of(new OwnedRun(runId, owner.get().epoch())), term));
                }
                return Future.succeededFuture(ownership.isOwn(runId));
            }
            Optional<Placement> placement = owner.get().placement();
            if (placement.filter(place -> place.hosts(node(), roots.paths())).isEmpty()) {
                return Future.succeededFuture(false);
            }
            return claims.take(List.of(runId), term)
                    .compose(claimed -> claimed.isEmpty()
                            ? Future.succeededFuture(false)
                            : (over
                                            ? Future.succeededFuture(ownership.take(claimed, term))
                                            : carryOn(claimed, term).map(true))
                                    .map(taken -> ownership.isOwn(runId)));
        });
    }

    /** What waits for a place in the engine. */
    private final class Waiting implements RunClaims.Queue {
        @Override
        public Future<List<String>> waiting() {
            return RunChannels.WAITING
                    .ask(vertx.eventBus(), new ListWaiting(), PATIENCE)
                    .map(WaitingRuns::runIds);
        }

        @Override
        public Future<List<String>> letGo(List<String> runIds) {
            return RunChannels.LET_GO
                    .ask(vertx.eventBus(), new LetRunsGo(runIds), PATIENCE)
                    .map(LetRunsGo::runIds);
        }
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
                warden.orElseThrow().write(file);
            } catch (IOException refused) {
                throw new UncheckedIOException(refused);
            }
        }

        /** Living agents are adopted by the engine's own start; of those that were ended nothing is looked for. */
        @Override
        public void takeUp(Answer.Joined joined) {
            seat.take(joined.incarnation());
            boolean moved = hasEnded();
            if (serving) {
                ownership.own(List.of(), joined.incarnation());
                carryOnMoved(joined).onFailure(cause -> LOG.error("this node's runs cannot be taken up", cause));
            } else if (moved) {
                ownership.own(List.of(), joined.incarnation());
                deferred = Optional.of(joined);
            } else {
                ownership.own(joined.runs(), joined.incarnation());
            }
            LOG.info(
                    "node {} has its lease, with {} runs", node(), joined.runs().size());
            member.tryComplete();
        }

        /** Looked at now: an earlier warden may have ended them after this runtime had begun. */
        private boolean hasEnded() {
            Optional<String> why = warden.orElseThrow().ended();
            why.ifPresent(reason -> LOG.warn("processes of this node were ended: {}", reason));
            boolean any = ended || why.isPresent();
            ended = false;
            forgetEnded();
            return any;
        }

        private void forgetEnded() {
            loop.executeBlocking(
                            () -> {
                                warden.orElseThrow().forgetEnded();
                                return null;
                            },
                            false)
                    .onFailure(cause -> LOG.warn("a note of the warden stays: {}", cause.getMessage()));
        }

        @Override
        public void dropRuns() {
            ownership.drop();
            duties.drop();
            deferred = Optional.empty();
            if (serving) {
                dropped = drop();
            }
        }

        private Future<Void> drop() {
            return RunChannels.DROP
                    .ask(vertx.eventBus(), new DropRuns(), PATIENCE)
                    .<Void>mapEmpty()
                    .recover(cause -> {
                        LOG.error("the runs of this node are not forgotten yet", cause);
                        return stopped
                                ? Future.failedFuture(cause)
                                : loop.timer(AGAIN_AFTER.toMillis()).compose(due -> drop());
                    });
        }

        @Override
        public void endTrees(BootTime killAt) {
            LOG.warn("this node has no lease: its processes are ended");
            end(killAt);
        }

        private void end(BootTime killAt) {
            loop.executeBlocking(() -> endOnce(killAt), false)
                    .onComplete(
                            left -> {
                                ended |= left > 0;
                                if (left > 0) {
                                    again(killAt, LOOK_AT_TREES);
                                } else if (leaving || warden.orElseThrow().hasPlace()) {
                                    lease.feed(LeaseInput.TreesGone::new);
                                } else {
                                    tell(
                                            "this node has no place for its lease and stays out",
                                            new NoSuchFileException(dataFolder.toString()));
                                    again(killAt, WITHOUT_PLACE);
                                }
                            },
                            cause -> {
                                tell("this node's processes cannot be ended", cause);
                                again(killAt, LOOK_AT_TREES);
                            });
        }

        private void again(BootTime killAt, Duration after) {
            if (!stopped) {
                loop.setTimer(after.toMillis(), due -> end(killAt));
            }
        }

        private int endOnce(BootTime killAt) throws IOException {
            Warden beside = warden.orElseThrow();
            BootTime deadline = killAt.minus(LeaseTerms.GRACE);
            Optional<LeaseFile> file = beside.lease();
            if (file.isPresent() && deadline.isBefore(file.get().deadline())) {
                beside.write(new LeaseFile(file.get().incarnation(), deadline));
            }
            return beside.signal(BootClock.now().isBefore(killAt) ? "TERM" : "KILL");
        }

        /** What has an open step stays, for the next runtime or until the lease is over. */
        @Override
        public void letGo(long incarnation) {
            Promise<Void> done = leave.orElseGet(Promise::promise);
            own.owned(node())
                    .compose(owned ->
                            released(owned.stream().map(OwnedRun::runId).toList(), incarnation))
                    .compose(given -> own.leave(node(), incarnation))
                    .<Void>mapEmpty()
                    .onComplete(done);
        }

        @Override
        public void left() {
            leave.ifPresent(Promise::tryComplete);
        }

        private Future<Void> released(List<String> ids, long incarnation) {
            List<Future<Boolean>> resting = ids.stream()
                    .map(id -> store.orElseThrow()
                            .load(id)
                            .map(run -> run.map(StoredRun::state)
                                    .filter(ClusterNode::rests)
                                    .isPresent())
                            .otherwise(false))
                    .toList();
            return Future.join(resting).transform(all -> {
                List<String> free = IntStream.range(0, ids.size())
                        .filter(index -> resting.get(index).result())
                        .mapToObj(ids::get)
                        .toList();
                return free.isEmpty() ? Future.succeededFuture() : own.release(free, node(), incarnation);
            });
        }

        @Override
        public void giveUp(String reason) {
            member.tryFail(new StoreException(reason, null));
        }
    }

    private static boolean rests(RunState state) {
        return state.steps().isEmpty();
    }
}
