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

/** Tells those who follow runs of their events, and of the end: however this is undeployed, nobody waits for ever. */
final class RunFollowers extends VerticleBase {
    /** Who is asked may be gone already. */
    private static final Duration LAST_LOOK = Duration.ofSeconds(10);

    private final Set<RunFollower> followers = new LinkedHashSet<>();
    private volatile boolean closed;

    @Override
    public Future<?> start() {
        return StoreChannels.EVENTS.listen(vertx.eventBus(), this::tell).completion();
    }

    @Override
    public Future<?> stop() {
        List<Future<?>> looks = new ArrayList<>();
        for (RunFollower follower : followers) {
            looks.add(TimeLimit.of(vertx, follower.lookAgain(), LAST_LOOK));
        }
        return Future.join(looks).transform(over -> {
            closed = true;
            List.copyOf(followers).forEach(RunFollower::closed);
            followers.clear();
            return Future.succeededFuture();
        });
    }

    boolean isClosed() {
        return closed;
    }

    private void tell(PositionedEvent told) {
        for (RunFollower follower : List.copyOf(followers)) {
            if (follower.runId().equals(told.event().runId())) {
                follower.happened(told.event().type());
            }
        }
    }

    /** From now on, and then does {@code begin} on the event loop on which it is told; from any thread. */
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

    /** From any thread; nothing where it is gone already. */
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
