package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.data.LockedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressTest {
    @TempDir
    private Path folder;

    private Path workspace;
    private Path data;

    @BeforeEach
    void folders() throws IOException {
        workspace = Files.createDirectory(folder.resolve("workspace"));
        data = Files.createDirectory(workspace.resolve("data"));
        Files.writeString(data.resolve("events.db"), "");
    }

    private Progress through(Path name) {
        return new Progress(Map.of(), List.of(), name, data);
    }

    private static Instant changed(Path file) throws IOException {
        return ((FileTime) Files.getAttribute(file, "unix:ctime")).toInstant();
    }

    /** Until the kernel's clock has ticked, so that the change differs from what was before. */
    private static void writeLater(Path file, Instant than) {
        Awaitility.await().until(() -> {
            Files.writeString(file, "now");
            return changed(file).isAfter(than);
        });
    }

    @Test
    void whatTheStoreWritesIsNoProgressByWhateverNameItIsFound() throws IOException {
        Path other = Files.createSymbolicLink(folder.resolve("other-name"), workspace);
        Files.createLink(workspace.resolve("copy.db"), data.resolve("events.db"));
        LockedFiles.hold(data);
        try {
            Instant before = through(other).lastChange();

            writeLater(data.resolve("events.db"), before);
            writeLater(data.resolve("other"), before);

            assertThat(through(other).lastChange()).isEqualTo(before);
            assertThat(through(workspace).lastChange()).isEqualTo(before);
        } finally {
            LockedFiles.release(data);
        }
    }

    @Test
    void whatIsRemovedIsProgressByWhateverNameTheFolderIsFound() throws IOException {
        Path old = Files.createFile(workspace.resolve("old"));
        Path other = Files.createSymbolicLink(folder.resolve("other-name"), workspace);
        Instant before = through(other).lastChange();
        writeLater(folder.resolve("clock"), before);

        Files.delete(old);

        assertThat(through(other).lastChange()).isAfter(before).isEqualTo(changed(workspace));
    }

    @Test
    void aChangeBehindTenThousandEntriesIsProgress() throws IOException {
        Path deep = Files.createDirectories(workspace.resolve("z/y/x"));
        for (int file = 0; file < 10_050; file++) {
            Files.createFile(workspace.resolve("f" + file));
        }
        Path last = Files.createFile(deep.resolve("last"));

        writeLater(last, through(workspace).lastChange());

        assertThat(through(workspace).lastChange()).isEqualTo(changed(last));
    }
}
