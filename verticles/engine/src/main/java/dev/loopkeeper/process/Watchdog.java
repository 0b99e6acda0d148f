package dev.loopkeeper.process;

import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.work.Trouble;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hard and the idle limit of one step. Used from one context only. */
final class Watchdog {
    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final long NO_TIMER = -1;
    private static final long LOOK_AGAIN_MILLIS = 1000;

    private final SupervisorContext around;
    private final StepOrder order;
    private final Progress progress;
    private final Consumer<ExitCause> expired;
    private long hardTimer = NO_TIMER;
    private long idleTimer = NO_TIMER;
    private boolean released;
    private boolean troubled;

    /** @param expired hears which limit passed */
    Watchdog(SupervisorContext around, StepOrder order, StepFolder folder, Consumer<ExitCause> expired) {
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
        // Before the look: this thread may stand still while the agent goes on.
        Instant asked = around.clock().instant();
        around.workers()
                .executeBlocking(progress::lastChange, false)
                .onComplete(
                        changed -> judge(limit, changed.isAfter(startedAt) ? changed : startedAt, asked),
                        unknown -> lookAgain(limit, startedAt, unknown));
    }

    /** What cannot be looked at is not idle. */
    private void lookAgain(Duration limit, Instant startedAt, Throwable unknown) {
        if (!troubled) {
            troubled = true;
            LOG.warn("step {}: its progress cannot be looked at, and is until it can be", order.key(), unknown);
        }
        if (!released && !Trouble.isEnd(unknown)) {
            idleTimer = around.vertx().setTimer(LOOK_AGAIN_MILLIS, fired -> checkIdle(limit, startedAt));
        }
    }

    private void judge(Duration limit, Instant moved, Instant now) {
        troubled = false;
        if (released) {
            return;
        }
        // A clock set back must not make an agent look busy for ever.
        Instant last = moved.isAfter(now) ? now : moved;
        if (Duration.between(last, now).compareTo(limit) >= 0) {
            expired.accept(ExitCause.IDLE);
        } else {
            idleTimer = in(limit, last, () -> checkIdle(limit, last));
        }
    }
}
