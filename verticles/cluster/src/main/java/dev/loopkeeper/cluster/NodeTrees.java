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

/** Ends the processes of a node that has no lease, and knows whether any were ended. On the node's loop. */
final class NodeTrees {
    private static final Logger LOG = LoggerFactory.getLogger(NodeTrees.class);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration WITHOUT_PLACE = Duration.ofSeconds(1);

    private final Vertx loop;
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
            Warden warden,
            LeaseLoop lease,
            FolderTrouble trouble,
            BooleanSupplier leaving,
            BooleanSupplier stopped) {
        this.loop = loop;
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
        loop.executeBlocking(() -> signal(killAt), false).onComplete(look -> seen(look, killAt), cause -> {
            trouble.tell("this node's processes cannot be ended", cause);
            again(killAt, LOOK);
        });
    }

    private void seen(Look look, BootTime killAt) {
        look.untold().ifPresent(cause -> trouble.tell("the warden cannot be told to end this node's processes", cause));
        ended |= look.left() > 0;
        if (look.left() > 0) {
            again(killAt, LOOK);
        } else if (leaving.getAsBoolean()) {
            lease.feed(LeaseInput.TreesGone::new);
        } else {
            loop.executeBlocking(this::prove, false)
                    .onComplete(place -> lease.feed(LeaseInput.TreesGone::new), cause -> {
                        trouble.tell("this node has no place for its lease and stays out", cause);
                        again(killAt, WITHOUT_PLACE);
                    });
        }
    }

    /** A node that joined without it would take its runs up, only to give them up at its first renewal. */
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
     * @param left processes of the node
     * @param untold why the warden was not told, which ends them at the former deadline then
     */
    private record Look(int left, Optional<IOException> untold) {}

    private Look signal(BootTime killAt) throws IOException {
        Optional<IOException> untold = tellWarden(killAt.minus(LeaseTerms.GRACE));
        return new Look(warden.signal(BootClock.now().isBefore(killAt) ? "TERM" : "KILL"), untold);
    }

    /** The warden, which goes by the file, must not be later than this. A full disk keeps no process from being ended. */
    private Optional<IOException> tellWarden(BootTime deadline) {
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
