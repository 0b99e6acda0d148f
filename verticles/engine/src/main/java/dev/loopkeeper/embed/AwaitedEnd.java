package dev.loopkeeper.embed;

import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/**
 * Waits until a run has ended. It looks when it begins and after each ending that is told: an event is told when it is
 * durable, so a run cannot end between two looks without a third.
 */
final class AwaitedEnd implements RunFollower {
    private static final String ENDED = "run.ended";

    private final String runId;
    private final Supplier<Future<Run>> find;
    private final Promise<Run> end = Promise.promise();
    private final SingleFlight<Void> looks = new SingleFlight<>(this::look);

    private boolean ending;

    AwaitedEnd(String runId, Supplier<Future<Run>> find) {
        this.runId = runId;
        this.find = find;
    }

    Future<Run> future() {
        return end.future();
    }

    /** Waits no longer; nothing where it has ended. */
    void fail(Throwable cause) {
        end.tryFail(cause);
    }

    void begin() {
        looks.run();
    }

    @Override
    public String runId() {
        return runId;
    }

    @Override
    public void happened(String type) {
        if (type.equals(ENDED)) {
            looks.run();
        }
    }

    @Override
    public Future<?> lookAgain() {
        ending = true;
        return looks.run();
    }

    @Override
    public void closed() {
        fail(new LoopkeeperClosedException());
    }

    private Future<Void> look() {
        return find.get().onSuccess(this::seen).onFailure(this::unseen).mapEmpty();
    }

    /** Whoever is asked at the end may be gone. */
    private void unseen(Throwable cause) {
        if (!ending) {
            end.tryFail(cause);
        }
    }

    private void seen(Run run) {
        if (run.status().isEnded()) {
            end.tryComplete(run);
        }
    }
}
