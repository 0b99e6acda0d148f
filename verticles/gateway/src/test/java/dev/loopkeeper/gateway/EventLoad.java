package dev.loopkeeper.gateway;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Open runs whose steps continue spending, and their events at an even rate: as much as a page has to bear. */
final class EventLoad {
    /** Events in a second. */
    static final int RATE = 1000;

    private static final int PACE_MILLIS = 10;
    private static final int MOST_AT_ONCE = 500;

    private final GatewayFixture fixture;
    final List<RealRun> runs = new ArrayList<>();

    /** That many runs, each open and with a step. */
    EventLoad(GatewayFixture fixture, int many) {
        this.fixture = fixture;
        for (int index = 0; index < many; index++) {
            RealRun run = new RealRun("busy-" + index);
            GatewayFixture.soon(append(run));
            runs.add(run);
        }
    }

    private Future<Void> append(RealRun run) {
        return fixture.bus.append(run.next()).map(appended -> {
            run.views.keySet().removeIf(sequence -> sequence < run.state().sequence());
            fixture.scheduler.runs.put(run.runId, run.views.get(run.state().sequence()));
            return null;
        });
    }

    /** Succeeds when the events of so many seconds are reported; on a machine that is too slow that takes longer. */
    Future<Void> events(int seconds) {
        return events(seconds, 0, System.nanoTime());
    }

    /** As many as are due by now, and so on until all are reported. */
    private Future<Void> events(int seconds, int reported, long begin) {
        if (reported >= RATE * seconds) {
            return Future.succeededFuture();
        }
        long due = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) * RATE / 1000 - reported;
        int part = (int) Math.min(RATE * seconds - reported, Math.max(1, Math.min(MOST_AT_ONCE, due)));
        List<Future<Void>> appended = new ArrayList<>();
        for (int index = reported; index < reported + part; index++) {
            appended.add(append(runs.get(index % runs.size())));
        }
        return Future.all(appended)
                .compose(all -> fixture.vertx.timer(PACE_MILLIS, TimeUnit.MILLISECONDS))
                .compose(later -> events(seconds, reported + part, begin));
    }
}
