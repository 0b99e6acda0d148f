package dev.loopkeeper.embed;

import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Waits until a run has ended. It reads the run at the beginning and after each end event. Events are published once
 * they are durable, so no end is missed. A failed read proves nothing and is repeated.
 */
final class AwaitedEnd implements RunFollower {
    private static final String ENDED = "run.ended";

    private final String runId;
    private final Supplier<Future<Run>> find;
    private final Consumer<Runnable> later;
    private final Promise<Run> end = Promise.promise();
    private final SingleFlight<Void> reads = new SingleFlight<>(this::read);

    private boolean ending;

    /** @param later runs a task after a pause, on the event loop of the events */
    AwaitedEnd(String runId, Supplier<Future<Run>> find, Consumer<Runnable> later) {
        this.runId = runId;
        this.find = find;
        this.later = later;
    }

    Future<Run> future() {
        return end.future();
    }

    /** Stops waiting; has no effect once the run has ended. */
    void fail(Throwable cause) {
        end.tryFail(cause);
    }

    void begin() {
        reads.run();
    }

    @Override
    public boolean follows(String run) {
        return runId.equals(run);
    }

    @Override
    public void happened(String type) {
        if (type.equals(ENDED)) {
            reads.run();
        }
    }

    @Override
    public Future<?> readAgain() {
        ending = true;
        return reads.run();
    }

    @Override
    public void closed() {
        fail(new LoopkeeperClosedException());
    }

    private Future<Void> read() {
        return find.get().onSuccess(this::onRead).onFailure(this::onReadFailed).mapEmpty();
    }

    /** Ignores a failed read during shutdown, since the scheduler may be gone. */
    private void onReadFailed(Throwable cause) {
        if (ending) {
            return;
        }
        if (isAnswer(cause)) {
            end.tryFail(cause);
        } else {
            later.accept(this::readOnceMore);
        }
    }

    private void readOnceMore() {
        if (!end.future().isComplete()) {
            reads.run();
        }
    }

    private static boolean isAnswer(Throwable cause) {
        return cause instanceof RunRefusedException refused
                ? refused.code() != RefusalCode.STORE_UNAVAILABLE
                : cause instanceof LoopkeeperException;
    }

    private void onRead(Run run) {
        if (run.status().isEnded()) {
            end.tryComplete(run);
        }
    }
}
