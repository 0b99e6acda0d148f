package dev.loopkeeper.embed;

import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.work.TimeLimit;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

/** Notifies followers of the events of their runs and of the shutdown, so that none waits for ever. */
final class RunFollowers extends VerticleBase {
    /** Limits the last read, since the scheduler may have stopped already. */
    private static final Duration LAST_READ_TIMEOUT = Duration.ofSeconds(10);

    private final Set<RunFollower> followers = new LinkedHashSet<>();
    private volatile boolean closed;

    @Override
    public Future<?> start() {
        return StoreChannels.EVENTS
                .listen(vertx.eventBus(), this::notifyFollowers)
                .completion();
    }

    @Override
    public Future<?> stop() {
        List<Future<?>> reads = new ArrayList<>();
        for (RunFollower follower : followers) {
            reads.add(TimeLimit.of(vertx, follower.readAgain(), LAST_READ_TIMEOUT));
        }
        return Future.join(reads).transform(over -> {
            closed = true;
            List.copyOf(followers).forEach(RunFollower::closed);
            followers.clear();
            return Future.succeededFuture();
        });
    }

    boolean isClosed() {
        return closed;
    }

    private void notifyFollowers(PositionedEvent stored) {
        for (RunFollower follower : List.copyOf(followers)) {
            if (follower.follows(stored.event().runId())) {
                follower.happened(stored.event().type());
            }
        }
    }

    /** Adds a follower, then runs {@code begin} on the event loop of the events; callable from any thread. */
    void add(RunFollower follower, Runnable begin) {
        onOwnLoop(
                () -> {
                    if (closed) {
                        follower.closed();
                    } else {
                        followers.add(follower);
                        begin.run();
                    }
                },
                follower::closed);
    }

    /** Removes a follower, if it is still there; callable from any thread. */
    void remove(RunFollower follower) {
        onOwnLoop(() -> followers.remove(follower), () -> {});
    }

    private void onOwnLoop(Runnable work, Runnable gone) {
        try {
            context.runOnContext(now -> work.run());
        } catch (RejectedExecutionException endedWithVertx) {
            gone.run();
        }
    }
}
