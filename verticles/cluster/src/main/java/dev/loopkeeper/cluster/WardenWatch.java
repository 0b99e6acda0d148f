package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.LeaseInput;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whoever ends the warden gets another; without one the processes of the node end while there is still somebody to end
 * them.
 */
final class WardenWatch {
    private static final Logger LOG = LoggerFactory.getLogger(WardenWatch.class);
    private static final String NO_SIGNAL = "0";
    private static final Duration AGAIN_AFTER = Duration.ofMillis(250);

    private final Vertx loop;
    private final HomeContext home;
    private final Warden warden;
    private final LeaseLoop lease;
    private final FolderTrouble trouble;
    private final BooleanSupplier stopped;

    /** @param stopped whether none is needed any more */
    WardenWatch(
            Vertx loop,
            HomeContext home,
            Warden warden,
            LeaseLoop lease,
            FolderTrouble trouble,
            BooleanSupplier stopped) {
        this.loop = loop;
        this.home = home;
        this.warden = warden;
        this.lease = lease;
        this.trouble = trouble;
        this.stopped = stopped;
    }

    /** Starts the first. Blocking. */
    void begin() throws IOException {
        watch(warden.start());
    }

    private void watch(Process process) {
        Future.fromCompletionStage(process.onExit()).onSuccess(over -> {
            if (!stopped.getAsBoolean()) {
                LOG.warn("the warden has ended with {} and is started anew", over.exitValue());
                home.run(() -> restart(BootClock.now()));
            }
        });
    }

    private void restart(BootTime since) {
        Future<Process> started = loop.executeBlocking(warden::start, false);
        started.onSuccess(beside -> {
            trouble.over();
            watch(beside);
        });
        started.onFailure(cause -> {
            trouble.tell("the warden cannot be started, so this node ends its processes", cause);
            if (BootClock.now().since(since).compareTo(LeaseTerms.WITHOUT_WARDEN) >= 0) {
                lease.feed(LeaseInput.WardenLost::new);
            }
            if (!stopped.getAsBoolean()) {
                loop.setTimer(AGAIN_AFTER.toMillis(), due -> restart(since));
            }
        });
    }

    /** Lets go of the warden, and dismisses it where there is nothing to watch. */
    Future<Void> end() {
        return loop.executeBlocking(
                () -> {
                    if (warden.signal(NO_SIGNAL) == 0) {
                        warden.dismiss();
                    }
                    warden.close();
                    return null;
                },
                false);
    }
}
