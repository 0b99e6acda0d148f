package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.LeaseFile;
import dev.loopkeeper.ownership.LeaseInput;
import dev.loopkeeper.ownership.LeaseTerms;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the processes of a node without a lease, and records whether any were ended. Used on the node's loop. */
final class NodeProcessTermination {
    private static final Logger LOG = LoggerFactory.getLogger(NodeProcessTermination.class);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    private static final Duration FOLDER_RETRY = Duration.ofSeconds(1);

    private final Vertx loop;
    private final Warden warden;
    private final LeaseLoop lease;
    private final FolderFailureLog failureLog;
    private final BooleanSupplier leaving;
    private final BooleanSupplier stopped;
    /** Since the node last resumed its runs. */
    private boolean ended;

    /**
     * Ends nothing yet.
     *
     * @param leaving whether the node needs no lease any more
     * @param stopped whether to stop retrying
     */
    NodeProcessTermination(
            Vertx loop,
            Warden warden,
            LeaseLoop lease,
            FolderFailureLog failureLog,
            BooleanSupplier leaving,
            BooleanSupplier stopped) {
        this.loop = loop;
        this.warden = warden;
        this.lease = lease;
        this.failureLog = failureLog;
        this.leaving = leaving;
        this.stopped = stopped;
    }

    /** Returns whether processes were ended since the last call, also by an earlier runtime's warden. */
    boolean takeEndedFlag() {
        Optional<String> why = warden.ended();
        why.ifPresent(reason -> LOG.warn("processes of this node were ended: {}", reason));
        boolean any = ended || why.isPresent();
        ended = false;
        loop.executeBlocking(
                        () -> {
                            warden.forgetEnded();
                            return null;
                        },
                        false)
                .onFailure(cause -> LOG.warn("the warden's note cannot be deleted: {}", cause.getMessage()));
        return any;
    }

    /** Feeds {@link LeaseInput.TreesGone} to the lease when no process is left. */
    void end(BootTime killAt) {
        loop.executeBlocking(() -> signal(killAt), false).onComplete(scan -> seen(scan, killAt), cause -> {
            failureLog.report("this node's processes cannot be ended", cause);
            again(killAt, POLL_INTERVAL);
        });
    }

    private void seen(ScanResult scan, BootTime killAt) {
        scan.wardenFailure()
                .ifPresent(cause -> failureLog.report(
                        "the lease file cannot be shortened, so the warden ends this node's processes later", cause));
        ended |= scan.remaining() > 0;
        if (scan.remaining() > 0) {
            again(killAt, POLL_INTERVAL);
        } else if (leaving.getAsBoolean()) {
            lease.feed(LeaseInput.TreesGone::new);
        } else {
            loop.executeBlocking(this::prove, false)
                    .onComplete(proven -> lease.feed(LeaseInput.TreesGone::new), cause -> {
                        failureLog.report("this node's lease cannot be stored, so it does not join", cause);
                        again(killAt, FOLDER_RETRY);
                    });
        }
    }

    /** A node that joined without a writable lease file would resume its runs and lose them at the first renewal. */
    private Void prove() throws IOException {
        warden.prove();
        return null;
    }

    private void again(BootTime killAt, Duration after) {
        if (!stopped.getAsBoolean()) {
            loop.setTimer(after.toMillis(), due -> end(killAt));
        }
    }

    /**
     * Result of signalling the node's processes.
     *
     * @param remaining number of processes found
     * @param wardenFailure why the lease file could not be shortened; the warden then ends them at the former deadline
     */
    private record ScanResult(int remaining, Optional<IOException> wardenFailure) {}

    private ScanResult signal(BootTime killAt) throws IOException {
        Optional<IOException> wardenFailure = shortenLease(killAt.minus(LeaseTerms.GRACE));
        return new ScanResult(warden.signal(BootClock.now().isBefore(killAt) ? "TERM" : "KILL"), wardenFailure);
    }

    /** Shortens the lease file, which the warden follows. A full disk must not keep processes from being ended. */
    private Optional<IOException> shortenLease(BootTime deadline) {
        try {
            Optional<LeaseFile> file = warden.lease();
            if (file.isPresent() && deadline.isBefore(file.get().deadline())) {
                warden.write(new LeaseFile(file.get().incarnation(), deadline));
            }
            return Optional.empty();
        } catch (IOException refused) {
            return Optional.of(refused);
        }
    }
}
