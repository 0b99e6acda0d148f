package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.WallTimer;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Holds at most one wake-up timer per run. A woken run checks the clock again, so an early or late timer is harmless.
 */
final class WakeTimers {
    private final Vertx vertx;
    private final Map<String, WallTimer> timers = new HashMap<>();

    WakeTimers(Vertx vertx) {
        this.vertx = vertx;
    }

    void wake(RunActor run, Instant due) {
        cancel(run.runId());
        timers.put(run.runId(), WallTimer.at(vertx, due, () -> {
            timers.remove(run.runId());
            run.deliver(new RunInput.TimerDue(Instants.now()));
        }));
    }

    void cancel(String runId) {
        WallTimer timer = timers.remove(runId);
        if (timer != null) {
            timer.cancel();
        }
    }
}
