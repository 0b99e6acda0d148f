package dev.loopkeeper.cli;

import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.store.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** The process that owns a data folder, also one that serves nobody. */
final class FolderOwner {
    private static final String LOCK = "owner.lock";
    private static final Duration CLOCK_STEP = Duration.ofSeconds(1);

    private FolderOwner() {}

    /** Its pid, as it wrote it; empty when it is dead, or this process, which only looks. Takes no lock, which a starting owner could trip over. */
    static OptionalLong alive(DataFolder folder) {
        Path lock = folder.path().resolve(LOCK);
        if (LockedFiles.include(lock)) {
            return OptionalLong.of(ProcessHandle.current().pid());
        }
        try {
            long pid = Long.parseLong(Files.readString(lock).strip());
            Instant written = Files.getLastModifiedTime(lock).toInstant();
            return ProcessHandle.of(pid)
                            .filter(process -> !process.equals(ProcessHandle.current()))
                            .filter(process -> wrote(process, written))
                            .isPresent()
                    ? OptionalLong.of(pid)
                    : OptionalLong.empty();
        } catch (IOException | NumberFormatException none) {
            return OptionalLong.empty();
        }
    }

    /** A process that began later only carries the number. */
    private static boolean wrote(ProcessHandle process, Instant written) {
        Optional<Instant> began = process.info().startInstant();
        return process.isAlive()
                && began.map(start -> !start.minus(CLOCK_STEP).isAfter(written)).orElse(true);
    }
}
