package dev.loopkeeper.cli.session;

import dev.loopkeeper.work.FolderEvents;
import dev.loopkeeper.work.Wakeups;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/** Waits for the next change of who owns a data folder. */
public final class OwnerChanges {
    /** The owner's address is a file of the folder; that it gave the folder back alone tells nobody. */
    private static final Duration AGAIN_AFTER = Duration.ofMillis(200);

    private final Path folder;
    private final Supplier<String> meanwhile;
    private final Wakeups wakeups = new Wakeups();

    /** @param meanwhile is told where it cannot be waited, e.g. {@code nothing was started} */
    public OwnerChanges(RootCommand root, Supplier<String> meanwhile) {
        this.folder = root.dataFolder().path();
        this.meanwhile = meanwhile;
    }

    /** Ends a wait; any thread may. */
    public void wake() {
        wakeups.wake();
    }

    /** Returns when something has changed, or soon. */
    public void await() {
        try (FolderEvents events = new FolderEvents(changed -> wakeups.wake())) {
            events.follow(folder);
            wakeups.await(AGAIN_AFTER);
        } catch (IOException unwatched) {
            throw CommandFailure.refused(meanwhile.get() + ": " + folder + " cannot be watched: " + unwatched);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw CommandFailure.refused(meanwhile.get() + ": loopkeeper was told to end");
        }
    }
}
