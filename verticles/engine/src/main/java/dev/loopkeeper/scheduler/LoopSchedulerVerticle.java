package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.AgentOutput;
import dev.loopkeeper.agent.AgentOutputReader;
import dev.loopkeeper.contract.AskChannels;
import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunRouting;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ReleaseRuns;
import dev.loopkeeper.contract.SchedulerChannels.WaitingRuns;
import dev.loopkeeper.data.CheckpointFile;
import dev.loopkeeper.data.CheckpointProjection;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.store.CheckpointWriter;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.PolicyKeeper;
import dev.loopkeeper.store.SharedSignalFiles;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.work.HomeContext;
import dev.loopkeeper.work.Workers;
import dev.loopkeeper.workspace.Workspaces;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.EventBus;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** Serves the {@link Scheduler} on the event bus once every open run was recovered. Deploy one instance. */
public final class LoopSchedulerVerticle extends VerticleBase {
    private static final int WORKERS = 4;
    /** Separate from reading output, because runs wait for these. */
    private static final int RECORD_WORKERS = 2;
    /** Reading a complete workspace keeps a disk busy: more at once would only be slower each. */
    private static final int DIGEST_WORKERS = 2;

    private final EventStore store;
    private final SchedulerOptions options;
    private final Ownership ownership;
    private final RunRouting routing;
    private final SharedSignalFiles signalFiles;
    private final PolicyKeeper policies;
    private final Function<StepSpec, AgentOutputReader> readers;
    private Scheduler scheduler;
    private CheckpointFile file;
    private CheckpointProjection projection;
    private WorkerExecutor workers;
    private WorkerExecutor digestWorkers;
    private WorkerExecutor histories;
    private WorkerExecutor recordWorkers;

    /**
     * Executes the runs that this node owns, on a data folder that its process owns.
     *
     * @param store read here; appended to over the bus
     * @param policies have the prices of models, the caps and the pools
     */
    public LoopSchedulerVerticle(
            EventStore store,
            SchedulerOptions options,
            Ownership ownership,
            RunRouting routing,
            SharedSignalFiles signalFiles,
            PolicyKeeper policies) {
        this(
                store,
                options,
                ownership,
                routing,
                signalFiles,
                policies,
                step -> AgentOutput.reader(step, () -> policies.current().policy()));
    }

    LoopSchedulerVerticle(
            EventStore store,
            SchedulerOptions options,
            Ownership ownership,
            RunRouting routing,
            SharedSignalFiles signalFiles,
            PolicyKeeper policies,
            Function<StepSpec, AgentOutputReader> readers) {
        this.store = store;
        this.options = options;
        this.ownership = ownership;
        this.routing = routing;
        this.signalFiles = signalFiles;
        this.policies = policies;
        this.readers = readers;
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        EventBus bus = vertx.eventBus();
        Path data = options.data();
        workers = Workers.of(vertx, "loopkeeper-outcomes", WORKERS);
        file = new CheckpointFile(vertx, data);
        projection = new CheckpointProjection(vertx, file, CheckpointProjection.INTERVAL);
        recordWorkers = Workers.of(vertx, "loopkeeper-records", RECORD_WORKERS);
        RunJournal journal =
                new RunJournal(store, new CheckpointWriter(bus)::append, ownership, projection, recordWorkers);
        histories = Workers.of(vertx, "loopkeeper-histories", 1);
        digestWorkers = Workers.of(vertx, "loopkeeper-workspaces", DIGEST_WORKERS);
        StepOutcomes outcomes = new StepOutcomes(vertx, workers, new Workspaces(vertx, digestWorkers, data));
        scheduler = new Scheduler(
                vertx,
                options,
                store,
                ownership,
                signalFiles,
                () -> policies.current().policy(),
                readers,
                journal,
                outcomes);
        HomeContext home = new HomeContext(vertx.getOrCreateContext());
        policies.onChange(changed -> home.run(scheduler.places::policyChanged));
        // The recovery adopts steps, whose idle limits need it.
        Future<Void> asks =
                AskChannels.LAST.serve(bus, asked -> Future.succeededFuture(AskRequests.last(scheduler.actors, asked)));
        return asks.compose(serving -> scheduler.permits.begin())
                .compose(listening -> scheduler.steps.start())
                .compose(listening -> recover())
                .compose(recovered -> Future.all(serveRuns(bus), serveScheduler(bus)));
    }

    private Future<Void> recover() {
        projection.hold();
        return new Recovery(scheduler, new StaleProjections(vertx, options.data()))
                .run()
                .onComplete(over -> projection.release());
    }

    private Future<?> serveRuns(EventBus bus) {
        RunRequests requests = new RunRequests(scheduler, histories, routing);
        RunStart start = new RunStart(scheduler, recordWorkers);
        return Future.all(List.of(
                StoreChannels.REMOVED
                        .listen(bus, removed -> scheduler.actors.forget(removed.runIds()))
                        .completion(),
                RunChannels.START.serve(bus, asked -> scheduler.intake.admit(() -> start.start(asked))),
                RunChannels.STOP.serve(bus, requests::stop),
                RunChannels.END.serve(bus, requests::end),
                RunChannels.PAUSE.serve(bus, requests::pause),
                RunChannels.RESUME.serve(bus, requests::resume),
                new AskRequests(requests).serve(bus),
                RunChannels.REMARK.serve(bus, requests::remark),
                RunChannels.KILL.serve(bus, requests::kill),
                RunChannels.GET.serve(bus, requests::get),
                RunChannels.CHECKPOINT.serve(bus, requests::checkpoint),
                RunChannels.STEP_PAGE.serve(bus, requests::stepPage),
                RunChannels.STEP.serve(bus, requests::step),
                RunChannels.ITEMS.serve(bus, requests::items),
                RunChannels.EXPLAIN.serve(bus, requests::explain)));
    }

    private Future<?> serveScheduler(EventBus bus) {
        return Future.all(List.of(
                SchedulerChannels.DRAIN_IF_IDLE.serve(
                        bus, asked -> Future.succeededFuture(scheduler.runtimeEnd.settle())),
                SchedulerChannels.OPEN_STEPS.serve(
                        bus, asked -> Future.succeededFuture(scheduler.intake.openSteps(asked.runId()))),
                SchedulerChannels.ACTIVITY.serve(
                        bus, asked -> Future.succeededFuture(scheduler.actors.activity(asked.runId()))),
                SchedulerChannels.INTERRUPT.serve(
                        bus,
                        asked -> scheduler
                                .runtimeEnd
                                .interrupt(asked.runId(), asked.why())
                                .map(over -> asked)),
                SchedulerChannels.CONTINUE.serve(
                        bus,
                        asked -> scheduler
                                .intake
                                .recoverAll(asked.runIds(), asked.moved())
                                .map(asked)),
                SchedulerChannels.DROP.serve(bus, asked -> {
                    scheduler.dropAll();
                    return Future.succeededFuture(asked);
                }),
                SchedulerChannels.WAITING.serve(
                        bus, asked -> Future.succeededFuture(new WaitingRuns(scheduler.capacity.waiting()))),
                SchedulerChannels.RELEASE.serve(
                        bus,
                        asked -> Future.succeededFuture(
                                new ReleaseRuns(scheduler.actors.releaseQueued(asked.runIds())))),
                SchedulerChannels.SKIP_GRACE.serve(
                        bus, asked -> scheduler.runtimeEnd.skipGrace().map(asked)),
                SchedulerChannels.DRAIN.serve(
                        bus, asked -> scheduler.runtimeEnd.drain().map(over -> asked))));
    }

    @Override
    public Future<?> stop() {
        LoadedRuns.in(vertx).clear();
        if (scheduler != null) {
            scheduler.git.close();
        }
        return projection
                .flushAll()
                .eventually(file::close)
                .eventually(workers::close)
                .eventually(recordWorkers::close)
                .eventually(digestWorkers::close)
                .eventually(histories::close);
    }
}
