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

/** What a node asks of the engine in its own process. Any thread. */
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
    public Future<List<String>> letGo(List<String> runIds) {
        return RunChannels.LET_GO.ask(bus, new LetRunsGo(runIds), PATIENCE).map(LetRunsGo::runIds);
    }

    /** To carry these on. */
    Future<Void> takeUp(List<String> runIds, boolean moved) {
        return RunChannels.TAKE_UP
                .ask(bus, new TakeUpRuns(runIds, moved), PATIENCE)
                .mapEmpty();
    }

    /** To forget all that it has. */
    Future<Void> drop() {
        return RunChannels.DROP.ask(bus, new DropRuns(), PATIENCE).mapEmpty();
    }
}
