package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** At most one timer for each run. What it wakes decides again by the clock, so an early or late one does no harm. */
final class WakeTimers {
    private final Vertx vertx;
    private final Map<String, Long> timers = new HashMap<>();

    WakeTimers(Vertx vertx) {
        this.vertx = vertx;
    }

    void wake(RunActor run, Instant due) {
        cancel(run.runId());
        long delay = Math.max(1, Duration.between(Instants.now(), due).toMillis() + 1);
        timers.put(run.runId(), vertx.setTimer(delay, fired -> {
            timers.remove(run.runId());
            run.tell(new RunInput.TimerDue(Instants.now()));
        }));
    }

    void cancel(String runId) {
        Long timer = timers.remove(runId);
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
    }
}
