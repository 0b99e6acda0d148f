package dev.loopkeeper.embed;

import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Waits until a run has ended. It looks when it begins and after each ending that is told: an event is told when it is
 * durable, so a run cannot end between two looks without a third. A look that fails says nothing of the run: it looks again.
 */
final class AwaitedEnd implements RunFollower {
    private static final String ENDED = "run.ended";
    private static final String NOT_KNOWN_NOW = "store-unavailable";

    private final String runId;
    private final Supplier<Future<Run>> find;
    private final Consumer<Runnable> later;
    private final Promise<Run> end = Promise.promise();
    private final SingleFlight<Void> looks = new SingleFlight<>(this::look);

    private boolean ending;

    /** @param later does this some time after, on the event loop on which it is told */
    AwaitedEnd(String runId, Supplier<Future<Run>> find, Consumer<Runnable> later) {
        this.runId = runId;
        this.find = find;
        this.later = later;
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
        if (ending) {
            return;
        }
        if (isAnswer(cause)) {
            end.tryFail(cause);
        } else {
            later.accept(this::lookOnceMore);
        }
    }

    private void lookOnceMore() {
        if (!end.future().isComplete()) {
            looks.run();
        }
    }

    private static boolean isAnswer(Throwable cause) {
        return cause instanceof RunRefusedException refused
                ? !refused.code().equals(NOT_KNOWN_NOW)
                : cause instanceof LoopkeeperException;
    }

    private void seen(Run run) {
        if (run.status().isEnded()) {
            end.tryComplete(run);
        }
    }
}
