package dev.loopkeeper.process;

import dev.loopkeeper.step.ExitCause;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** The hard and the idle limit of one step. Used from one context only. */
final class Watchdog {
    private static final long NO_TIMER = -1;

    private final Surroundings around;
    private final StepOrder order;
    private final Progress progress;
    private final Consumer<ExitCause> expired;
    private long hardTimer = NO_TIMER;
    private long idleTimer = NO_TIMER;
    private boolean released;

    /** @param expired hears which limit passed */
    Watchdog(Surroundings around, StepOrder order, StepFolder folder, Consumer<ExitCause> expired) {
        this.around = around;
        this.order = order;
        this.progress = Progress.of(order, folder, around.options().data());
        this.expired = expired;
    }

    /** Begins to count, from the launch also where the step was adopted. */
    void begin(Instant startedAt) {
        order.timeout().ifPresent(limit -> hardTimer = in(limit, startedAt, () -> expired.accept(ExitCause.TIMEOUT)));
        order.idleTimeout().ifPresent(limit -> idleTimer = in(limit, startedAt, () -> checkIdle(limit, startedAt)));
    }

    void release() {
        released = true;
        around.vertx().cancelTimer(hardTimer);
        around.vertx().cancelTimer(idleTimer);
    }

    private long in(Duration limit, Instant since, Runnable then) {
        long millis =
                Duration.between(around.clock().instant(), since.plus(limit)).toMillis();
        return around.vertx().setTimer(Math.max(1, millis), fired -> then.run());
    }

    private void checkIdle(Duration limit, Instant startedAt) {
        around.workers()
                .executeBlocking(progress::lastChange, false)
                .otherwise(startedAt)
                .onSuccess(changed -> judge(limit, changed.isAfter(startedAt) ? changed : startedAt));
    }

    private void judge(Duration limit, Instant moved) {
        if (released) {
            return;
        }
        Instant now = around.clock().instant();
        // A clock set back must not make an agent look busy for ever.
        Instant last = moved.isAfter(now) ? now : moved;
        if (Duration.between(last, now).compareTo(limit) >= 0) {
            expired.accept(ExitCause.IDLE);
        } else {
            idleTimer = in(limit, last, () -> checkIdle(limit, last));
        }
    }
}
