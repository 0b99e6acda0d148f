package dev.loopkeeper.cli.session;

import dev.loopkeeper.work.FolderEvents;
import dev.loopkeeper.work.Wakeups;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/** Waits for the next change of the owner of a data folder. */
public final class OwnerChanges {
    /** Polls at this interval: the owner's address is a file, but releasing the folder changes no file. */
    private static final Duration AGAIN_AFTER = Duration.ofMillis(200);

    private final Path folder;
    private final Supplier<String> outcome;
    private final Wakeups wakeups = new Wakeups();

    /** @param outcome begins the message if waiting fails, e.g. {@code nothing was started} */
    public OwnerChanges(RootCommand root, Supplier<String> outcome) {
        this.folder = root.dataFolder().path();
        this.outcome = outcome;
    }

    /** Ends a wait; safe to call from any thread. */
    public void wake() {
        wakeups.wake();
    }

    /** Returns when the folder has changed, or after 200 ms. */
    public void await() {
        try (FolderEvents events = new FolderEvents(changed -> wakeups.wake())) {
            events.follow(folder);
            wakeups.await(AGAIN_AFTER);
        } catch (IOException unwatched) {
            throw CommandFailure.refused(outcome.get() + ": " + folder + " cannot be watched: " + unwatched);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw CommandFailure.refused(outcome.get() + ": loopkeeper is ending");
        }
    }
}
