package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.LeaseFile;
import dev.loopkeeper.ownership.LeaseInput;
import dev.loopkeeper.ownership.LeaseTerms;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the processes of a node that has no lease, and knows whether any were ended. On the node's loop. */
final class NodeTrees {
    private static final Logger LOG = LoggerFactory.getLogger(NodeTrees.class);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration WITHOUT_PLACE = Duration.ofSeconds(1);

    private final Vertx loop;
    private final Path dataFolder;
    private final Warden warden;
    private final LeaseLoop lease;
    private final FolderTrouble trouble;
    private final BooleanSupplier leaving;
    private final BooleanSupplier stopped;
    /** Since the node last took its runs up. */
    private boolean ended;

    /**
     * Ends nothing yet.
     *
     * @param leaving whether it needs no place for its lease any more
     * @param stopped whether it is no more looked for them
     */
    NodeTrees(
            Vertx loop,
            Path dataFolder,
            Warden warden,
            LeaseLoop lease,
            FolderTrouble trouble,
            BooleanSupplier leaving,
            BooleanSupplier stopped) {
        this.loop = loop;
        this.dataFolder = dataFolder;
        this.warden = warden;
        this.lease = lease;
        this.trouble = trouble;
        this.leaving = leaving;
        this.stopped = stopped;
    }

    /** Whether any were ended since this was last asked, also by an earlier warden after this runtime had begun. */
    boolean takeEnded() {
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
                .onFailure(cause -> LOG.warn("a note of the warden stays: {}", cause.getMessage()));
        return any;
    }

    /** Tells the lease by {@link LeaseInput.TreesGone} when there are none. */
    void end(BootTime killAt) {
        loop.executeBlocking(() -> signal(killAt), false).onComplete(left -> seen(left, killAt), cause -> {
            trouble.tell("this node's processes cannot be ended", cause);
            again(killAt, LOOK);
        });
    }

    private void seen(int left, BootTime killAt) {
        ended |= left > 0;
        if (left > 0) {
            again(killAt, LOOK);
        } else if (leaving.getAsBoolean() || warden.hasPlace()) {
            lease.feed(LeaseInput.TreesGone::new);
        } else {
            trouble.tell(
                    "this node has no place for its lease and stays out",
                    new NoSuchFileException(dataFolder.toString()));
            again(killAt, WITHOUT_PLACE);
        }
    }

    private void again(BootTime killAt, Duration after) {
        if (!stopped.getAsBoolean()) {
            loop.setTimer(after.toMillis(), due -> end(killAt));
        }
    }

    /** The warden, which goes by the file, must not be later than this. */
    private int signal(BootTime killAt) throws IOException {
        BootTime deadline = killAt.minus(LeaseTerms.GRACE);
        Optional<LeaseFile> file = warden.lease();
        if (file.isPresent() && deadline.isBefore(file.get().deadline())) {
            warden.write(new LeaseFile(file.get().incarnation(), deadline));
        }
        return warden.signal(BootClock.now().isBefore(killAt) ? "TERM" : "KILL");
    }
}
