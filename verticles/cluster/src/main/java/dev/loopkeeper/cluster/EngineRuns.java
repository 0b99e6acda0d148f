package dev.loopkeeper.cluster;

import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ContinueRuns;
import dev.loopkeeper.contract.SchedulerChannels.DropRuns;
import dev.loopkeeper.contract.SchedulerChannels.ListWaiting;
import dev.loopkeeper.contract.SchedulerChannels.ReleaseRuns;
import dev.loopkeeper.contract.SchedulerChannels.WaitingRuns;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.List;

/** Sends a node's commands to the engine in the same process. Any thread. */
final class EngineRuns implements RunClaims.Queue {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventBus bus;

    EngineRuns(EventBus bus) {
        this.bus = bus;
    }

    @Override
    public Future<List<String>> waiting() {
        return SchedulerChannels.WAITING.ask(bus, new ListWaiting(), PATIENCE).map(WaitingRuns::runIds);
    }

    @Override
    public Future<List<String>> release(List<String> runIds) {
        return SchedulerChannels.RELEASE
                .ask(bus, new ReleaseRuns(runIds), PATIENCE)
                .map(ReleaseRuns::runIds);
    }

    /** Makes the engine continue these runs. */
    Future<Void> resume(List<String> runIds, boolean moved) {
        return SchedulerChannels.CONTINUE
                .ask(bus, new ContinueRuns(runIds, moved), PATIENCE)
                .mapEmpty();
    }

    /** Makes the engine forget all runs. */
    Future<Void> drop() {
        return SchedulerChannels.DROP.ask(bus, new DropRuns(), PATIENCE).mapEmpty();
    }
}
