package dev.loopkeeper.cluster;

import dev.loopkeeper.contract.run.DropRuns;
import dev.loopkeeper.contract.run.LetRunsGo;
import dev.loopkeeper.contract.run.ListWaiting;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.contract.run.TakeUpRuns;
import dev.loopkeeper.contract.run.WaitingRuns;
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
        return RunChannels.WAITING.ask(bus, new ListWaiting(), PATIENCE).map(WaitingRuns::runIds);
    }

    @Override
    public Future<List<String>> release(List<String> runIds) {
        return RunChannels.LET_GO.ask(bus, new LetRunsGo(runIds), PATIENCE).map(LetRunsGo::runIds);
    }

    /** Makes the engine continue these runs. */
    Future<Void> resume(List<String> runIds, boolean moved) {
        return RunChannels.TAKE_UP
                .ask(bus, new TakeUpRuns(runIds, moved), PATIENCE)
                .mapEmpty();
    }

    /** Makes the engine forget all runs. */
    Future<Void> drop() {
        return RunChannels.DROP.ask(bus, new DropRuns(), PATIENCE).mapEmpty();
    }
}
