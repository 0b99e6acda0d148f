package dev.loopkeeper.cluster;

import dev.loopkeeper.data.DataFolderException;
import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.LeaseFile;
import dev.loopkeeper.ownership.LeaseInput;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restarts a warden that has ended. If that fails for too long, the node gives up its lease and ends its processes.
 *
 * @param stopped whether the node needs no warden any more
 */
record WardenWatch(
        Vertx loop,
        HomeContext home,
        Warden warden,
        LeaseLoop lease,
        FolderFailureLog failureLog,
        BooleanSupplier stopped) {
    private static final Logger LOG = LoggerFactory.getLogger(WardenWatch.class);
    private static final String NO_SIGNAL = "0";
    private static final Duration RETRY_AFTER = Duration.ofMillis(250);

    /**
     * Installs and starts the first warden; returns the end of an earlier runtime's lease. Blocks. Fails with
     * {@link DataFolderException}.
     *
     * @param installed receives the path of the gate
     */
    Optional<BootTime> begin(Consumer<Path> installed) {
        try {
            installed.accept(warden.install());
            Optional<BootTime> inherited = warden.lease().map(LeaseFile::deadline);
            watch(warden.start());
            return inherited;
        } catch (IOException refused) {
            String why = "the data folder " + warden.data() + " cannot store this node's lease: " + refused
                    + ". Check its permissions and the disk space.";
            throw new DataFolderException(why, refused);
        }
    }

    private void watch(Process process) {
        Future.fromCompletionStage(process.onExit()).onSuccess(ended -> {
            if (!stopped.getAsBoolean()) {
                LOG.warn("the warden has ended with exit code {} and is restarted", ended.exitValue());
                home.run(() -> restart(BootClock.now()));
            }
        });
    }

    private void restart(BootTime since) {
        Future<Process> started = loop.executeBlocking(warden::start, false);
        started.onSuccess(restarted -> {
            failureLog.recovered();
            watch(restarted);
        });
        started.onFailure(cause -> {
            failureLog.report("the warden cannot be started, so this node ends its processes", cause);
            if (BootClock.now().since(since).compareTo(LeaseTerms.WITHOUT_WARDEN) >= 0) {
                lease.feed(LeaseInput.WardenLost::new);
            }
            if (!stopped.getAsBoolean()) {
                loop.setTimer(RETRY_AFTER.toMillis(), due -> restart(since));
            }
        });
    }

    /** Closes the warden, and dismisses it if the node has no processes. */
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
