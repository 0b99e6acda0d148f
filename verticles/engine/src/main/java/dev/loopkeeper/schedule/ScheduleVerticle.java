package dev.loopkeeper.schedule;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.PolicyKeeper;
import dev.loopkeeper.store.SharedSignalFiles;
import dev.loopkeeper.submit.AllowedFolders;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.work.HomeContext;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Serves the schedules of the policy on the event bus, and fires them where this process does. */
public final class ScheduleVerticle extends VerticleBase {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int WORKERS = 2;
    private static final long NONE = -1;

    private final EventStore store;
    private final PolicyKeeper policies;
    private final Ownership ownership;
    private final SharedSignalFiles files;
    private final Duties duties;
    private final Map<String, String> environment;
    private final List<Path> workspaces;
    private final boolean firing;
    private HomeContext home;
    private WorkerExecutor workers;
    private Fires fires;
    private long timer = NONE;

    /**
     * @param files say which manifests all processes see
     * @param duties assigns the schedules of those manifests to one process at a time
     * @param environment of the runs' agents
     * @param workspaces folders in which the runs must work; none: anywhere
     * @param firing false where another process fires, e.g. beside a run in the foreground: schedules are only listed
     */
    public ScheduleVerticle(
            EventStore store,
            PolicyKeeper policies,
            Ownership ownership,
            SharedSignalFiles files,
            Duties duties,
            Map<String, String> environment,
            List<Path> workspaces,
            boolean firing) {
        this.store = store;
        this.policies = policies;
        this.ownership = ownership;
        this.files = files;
        this.duties = duties;
        this.environment = Map.copyOf(environment);
        this.workspaces = List.copyOf(workspaces);
        this.firing = firing;
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        home = new HomeContext(context);
        workers = Workers.of(vertx, "loopkeeper-schedules", WORKERS);
        return workers.executeBlocking(() -> AllowedFolders.of(workspaces), false)
                .compose(this::begin);
    }

    private Future<?> begin(AllowedFolders allowed) {
        FireRuns runs = new FireRuns(vertx.eventBus(), store, Submissions.on(vertx, workers, environment), allowed);
        fires = new Fires(store, policies, ownership, files, runs, Instants::now);
        FireRequests requests = new FireRequests(vertx, store, policies, ownership, fires::look);
        Future<?> listing = ScheduleChannels.LIST.serve(vertx.eventBus(), requests::list);
        if (!firing) {
            return listing.compose(
                    serving -> ScheduleChannels.FIRE.serve(vertx.eventBus(), command -> FireRequests.elsewhere()));
        }
        policies.onChange(policy -> home.run(fires::look));
        timer = vertx.setPeriodic(INTERVAL.toMillis(), due -> fires.look());
        return listing.compose(serving -> ScheduleChannels.FIRE.serve(vertx.eventBus(), requests::fire))
                .compose(serving -> duties.offer(Duties.SCHEDULES, new FireDuty()));
    }

    /** Fires the schedules of shared manifests while this process has the duty. */
    private final class FireDuty implements Duties.Duty {
        @Override
        public Future<Void> begin() {
            return home.call(() -> {
                fires.share(true);
                return Future.succeededFuture();
            });
        }

        @Override
        public Future<Void> end() {
            return home.call(() -> {
                fires.share(false);
                return fires.settled();
            });
        }

        @Override
        public void drop() {
            home.run(() -> fires.share(false));
        }
    }

    @Override
    public Future<?> stop() {
        vertx.cancelTimer(timer);
        fires.close();
        return fires.settled().eventually(workers::close);
    }
}
