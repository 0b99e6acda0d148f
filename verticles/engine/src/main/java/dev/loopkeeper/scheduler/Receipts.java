package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.work.TimeLimit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores kill receipts. */
record Receipts(Vertx vertx, EventStore store) {
    private static final Logger LOG = LoggerFactory.getLogger(Receipts.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Stores a kill receipt. Never fails: a receipt is evidence for people and must not block the run. */
    Future<Void> keep(KillReceipt receipt) {
        if (receipt.processes().isEmpty()) {
            return Future.succeededFuture();
        }
        String json = Json.MAPPER.valueToTree(receipt).toString();
        return soon(store.addReceipt(receipt.runId(), json)).recover(cause -> {
            notKept(receipt.runId(), json, cause);
            return Future.succeededFuture();
        });
    }

    private Future<Void> soon(Future<Void> asked) {
        return TimeLimit.of(vertx, asked, TIMEOUT)
                .recover(cause -> Future.failedFuture(
                        cause instanceof TimeoutException
                                ? new StoreUnavailableException("no answer within " + TIMEOUT.toMillis() + " ms", cause)
                                : cause));
    }

    private void notKept(String runId, String json, Throwable cause) {
        if (cause instanceof StoreUnavailableException) {
            LOG.debug("run {}: a receipt waits for the store: {} {}", runId, cause.getMessage(), json);
            vertx.setTimer(StoreRetry.RETRY_DELAY.toMillis(), fired -> again(runId, json));
        } else {
            LOG.warn("run {}: a receipt could not be stored: {} {}", runId, cause.getMessage(), json);
        }
    }

    private Future<Boolean> isKept(String runId, String json, long after) {
        return store.receipts(runId, after).compose(kept -> {
            boolean found = kept.stream().anyMatch(receipt -> receipt.json().equals(json));
            return found || kept.isEmpty()
                    ? Future.succeededFuture(found)
                    : isKept(runId, json, kept.get(kept.size() - 1).id());
        });
    }

    /** Stores the receipt unless an earlier attempt succeeded and only its answer was lost. */
    private void again(String runId, String json) {
        soon(isKept(runId, json, 0).compose(kept -> kept ? Future.succeededFuture() : store.addReceipt(runId, json)))
                .onFailure(cause -> notKept(runId, json, cause));
    }
}
