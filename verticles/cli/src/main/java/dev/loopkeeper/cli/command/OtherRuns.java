package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ActiveRuns;
import dev.loopkeeper.contract.SchedulerChannels.DrainIfIdle;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Waits for the runs that this process executes besides its own: runs that other clients submitted, or that were open
 * at the start.
 */
final class OtherRuns {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    /** The interval of checks, since a refused start and a signal to this process cause no event. */
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(250);

    private final RootCommand root;
    private final EventBus bus;
    private final Duration patience;
    private final Set<String> reported = new LinkedHashSet<>();

    /** @param patience time limit of each request to the scheduler */
    OtherRuns(RootCommand root, EventBus bus, Duration patience) {
        this.root = root;
        this.bus = bus;
        this.patience = patience;
    }

    /** Returns when each of them is at rest; afterwards no more runs are accepted. A signal ends the wait. */
    void await() {
        try {
            ActiveRuns active = drainIfIdle();
            while (!active.drained()) {
                report(active.runIds());
                Thread.sleep(CHECK_INTERVAL.toMillis());
                active = drainIfIdle();
            }
        } catch (ReplyException ending) {
            return; // a signal ends this process, and has taken the scheduler away
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks again when there is no answer in time: the scheduler of a process that ends is gone, not late. */
    private ActiveRuns drainIfIdle() {
        while (true) {
            try {
                return Session.await(SchedulerChannels.DRAIN_IF_IDLE.ask(bus, new DrainIfIdle(), patience));
            } catch (ReplyException failed) {
                if (failed.failureType() != ReplyFailure.TIMEOUT) {
                    throw failed;
                }
            }
        }
    }

    private void report(List<String> going) {
        List<String> fresh = new ArrayList<>(going);
        fresh.removeIf(runId -> !reported.add(runId));
        if (!fresh.isEmpty()) {
            root.console()
                    .warn("waiting for " + String.join(", ", fresh)
                            + (fresh.size() == 1 ? ", which was" : ", which were")
                            + " submitted to this process; after Ctrl-C, continue with: " + root.hint("serve"));
        }
    }
}
