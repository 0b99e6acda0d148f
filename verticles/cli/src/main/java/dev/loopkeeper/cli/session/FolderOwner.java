package dev.loopkeeper.cli.session;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.work.Instants;
import java.io.IOException;
import java.nio.file.Files;
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
        try {
            long pid = folder.writtenOwner();
            Instant written =
                    Files.getLastModifiedTime(folder.path().resolve(LOCK)).toInstant();
            return ProcessHandle.of(pid)
                            .filter(process -> !process.equals(ProcessHandle.current()))
                            .filter(process -> wrote(process, written))
                            .isPresent()
                    ? OptionalLong.of(pid)
                    : OptionalLong.empty();
        } catch (IOException none) {
            return OptionalLong.empty();
        }
    }

    /** As {@link #alive}, of one that has taken the folder so lately that it may still begin to serve an address. */
    static OptionalLong starting(DataFolder folder, Duration lately) {
        OptionalLong owner = alive(folder);
        try {
            Instant taken =
                    Files.getLastModifiedTime(folder.path().resolve(LOCK)).toInstant();
            return taken.plus(lately).isAfter(Instants.now()) ? owner : OptionalLong.empty();
        } catch (IOException none) {
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
