package dev.loopkeeper.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the {@link BootNote} of every run that launches something. Blocking, thread-safe. */
final class BootNotes {
    /** More than a folder's open runs; others are only noted again. */
    private static final int REMEMBERED = 10_000;

    private final Path data;
    private final Map<String, BootNote> noted = new ConcurrentHashMap<>();

    BootNotes(Path data) {
        this.data = data;
    }

    /** Records durably, once, that this launch belongs to this boot. */
    void note(StepOrder order) throws IOException {
        long number = BootNote.number(order.marks().nonce()).orElseThrow();
        if (noted.size() > REMEMBERED) {
            noted.clear();
        }
        try {
            noted.compute(order.runId(), (runId, known) -> {
                Optional<BootNote> there = known == null ? read(runId) : Optional.of(known);
                boolean covered = there.filter(note ->
                                note.holds(order.marks().bootId(), order.marks().nonce()))
                        .isPresent();
                // Without a note, no launch of this run was requested before.
                long since = there.isEmpty() ? 0 : number;
                return covered
                        ? there.get()
                        : write(runId, new BootNote(order.marks().bootId(), since));
            });
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }

    /** An incomplete note is of an earlier boot. */
    private Optional<BootNote> read(String runId) {
        try {
            return Optional.of(Json.MAPPER.readValue(
                    Files.readAllBytes(RunPaths.run(data, runId).resolve(BootNote.FILE)), BootNote.class));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (JsonProcessingException broken) {
            return Optional.of(BootNote.OF_ANOTHER_BOOT);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private BootNote write(String runId, BootNote note) {
        Path run = RunPaths.run(data, runId);
        try {
            // In place: a partial note is not valid JSON, so it is treated as one of an earlier boot.
            AtomicFile.write(run.resolve(BootNote.FILE), Json.MAPPER.writeValueAsBytes(note));
            AtomicFile.syncFolder(run);
            return note;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
