package dev.loopkeeper.process;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.process.tree.ProcessTreeTermination;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what a step left in its folder, and again while the machine fails. */
final class ResultsReader {
    private static final Logger LOG = LoggerFactory.getLogger(ResultsReader.class);
    private static final long READ_AGAIN_MILLIS = 200;
    /** A disk that fails to return data for this long is treated as broken. */
    private static final long READ_WITHIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final SupervisorContext around;
    private final StepOrder order;
    private final StepFolder folder;
    private final UnaryOperator<String> normalise;
    private volatile Optional<StepResults> early = Optional.empty();

    ResultsReader(SupervisorContext around, StepOrder order, StepFolder folder, UnaryOperator<String> normalise) {
        this.around = around;
        this.order = order;
        this.folder = folder;
        this.normalise = normalise;
    }

    /** Reads them as soon as no process is left that could write, on the worker that found so. */
    void readAhead() {
        try {
            early = Optional.of(read());
        } catch (IOException | RuntimeException unread) {
            LOG.debug("results of step {} could not be read, reading them again: {}", order.key(), unread.toString());
        }
    }

    /** Completes with what the step left after its processes were ended; never fails while the runtime lives. */
    Future<StepResults> read(ProcessTreeTermination sweep, KillReceipt receipt) {
        return early.isPresent() ? Future.succeededFuture(early.get()) : read(sweep, receipt, System.nanoTime());
    }

    /** Retries while the machine fails, since unread results may exist. */
    private Future<StepResults> read(ProcessTreeTermination sweep, KillReceipt receipt, long sinceNanos) {
        return around.workers()
                .executeBlocking(() -> readNow(sweep, receipt), false)
                .recover(cause -> {
                    if (cause instanceof AccessDeniedException denied) {
                        LOG.warn(
                                "results of step {} are not readable for this user: {}",
                                order.key(),
                                denied.getMessage());
                        return Future.succeededFuture(StepResults.denied(order));
                    }
                    if (TransientFailure.is(cause) && System.nanoTime() - sinceNanos < READ_WITHIN_NANOS) {
                        return around.vertx()
                                .timer(READ_AGAIN_MILLIS)
                                .compose(again -> read(sweep, receipt, sinceNanos));
                    }
                    if (TransientFailure.isShutdown(cause)) {
                        return Future.failedFuture(cause);
                    }
                    LOG.error("results of step {} in {} cannot be read", order.key(), folder.path(), cause);
                    return Future.succeededFuture(
                            StepResults.unreadable("results of step " + order.stepId() + " cannot be read: " + cause));
                });
    }

    private StepResults readNow(ProcessTreeTermination sweep, KillReceipt receipt) throws IOException {
        if (receipt.outcome() == Outcome.survivors) {
            folder.noteSurvivors(sweep.survivors());
        }
        return read();
    }

    private StepResults read() throws IOException {
        around.logs().hold(folder);
        return StepResults.of(folder, order, normalise);
    }
}
