package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchService;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderEventsTest {
    @TempDir
    private Path folder;

    @Test
    void aListenerThatThrowsStillGetsWhatHappensNext() throws Exception {
        BlockingQueue<Path> reported = new LinkedBlockingQueue<>();
        Path first = Files.createDirectory(folder.resolve("first"));
        Path second = Files.createDirectory(folder.resolve("second"));
        try (FolderEvents events = new FolderEvents(changed -> {
            reported.add(changed);
            throw new StackOverflowError("of a test");
        })) {
            events.follow(first);
            events.follow(second);

            Files.createFile(first.resolve("one"));
            assertThat(reported.poll(60, TimeUnit.SECONDS)).isEqualTo(first);
            Files.createFile(second.resolve("other"));
            assertThat(reported.poll(60, TimeUnit.SECONDS)).isEqualTo(second);
            Files.createFile(first.resolve("two"));
            assertThat(reported.poll(60, TimeUnit.SECONDS)).isEqualTo(first);
        }
    }

    /** As with a count of inotify instances that is used up. */
    @Test
    void aSystemThatWatchesNothingMoreStopsNoFollower() throws Exception {
        try (FolderEvents events = new FolderEvents(changed -> {}, () -> {
            throw new IOException("User limit of inotify instances reached or too many open files");
        })) {
            assertThatCode(() -> events.follow(folder)).doesNotThrowAnyException();
            events.unfollow(folder);
        }
    }

    @Test
    void aFolderThatCannotBeWatchedStopsNoFollower() throws Exception {
        WatchService closed = FileSystems.getDefault().newWatchService();
        try (FolderEvents events = new FolderEvents(changed -> {}, () -> closed)) {
            assertThatCode(() -> events.follow(folder.resolve("absent"))).doesNotThrowAnyException();
        }
    }
}
