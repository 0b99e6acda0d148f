package dev.loopkeeper.cli.session;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.work.Instants;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds the process that owns a data folder, even if it serves no address. */
final class FolderOwner {
    private static final String LOCK = "owner.lock";
    private static final Duration CLOCK_STEP = Duration.ofSeconds(1);

    private FolderOwner() {}

    /**
     * Returns the pid that the owner wrote; empty if the owner is dead or is this process. Takes no lock, since that
     * could make the start of another owner fail.
     */
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

    /**
     * Returns the owner like {@link #alive}, but only if it took the folder so recently that it may still start to
     * serve.
     */
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

    /** Returns whether this process wrote the pid; one that began later only reuses the number. */
    private static boolean wrote(ProcessHandle process, Instant written) {
        Optional<Instant> began = process.info().startInstant();
        return process.isAlive()
                && began.map(start -> !start.minus(CLOCK_STEP).isAfter(written)).orElse(true);
    }
}
