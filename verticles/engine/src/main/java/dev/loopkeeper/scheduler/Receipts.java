package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.process.KillReceipt;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.BusEventStore;
import dev.loopkeeper.store.EventStore;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the receipts of ended processes stored. */
final class Receipts {
    private static final Logger LOG = LoggerFactory.getLogger(Receipts.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final EventStore store;

    Receipts(EventBus bus) {
        this.store = new BusEventStore(bus, PATIENCE);
    }

    /** Receipts are proof for people; one that cannot be kept must not hold up the run: does not fail. */
    Future<Void> keep(KillReceipt receipt) {
        if (receipt.processes().isEmpty()) {
            return Future.succeededFuture();
        }
        String json = Json.MAPPER.valueToTree(receipt).toString();
        return store.addReceipt(receipt.runId(), json).recover(lost -> {
            LOG.warn("run {}: a receipt could not be kept: {} {}", receipt.runId(), lost.getMessage(), json);
            return Future.succeededFuture();
        });
    }
}
