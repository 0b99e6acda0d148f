package dev.loopkeeper.signal;

import dev.loopkeeper.contract.SignalChannels.SignalLocation;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.OwnerOnly;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.verdict.SignalAge;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.verdict.SignalReader;
import dev.loopkeeper.verdict.SignalReading;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prepares the signal file of a step, and reads it with its age. Blocking. */
record StepSignals(Path data) {
    private static final Logger LOG = LoggerFactory.getLogger(StepSignals.class);
    private static final String PREPARED_AT = "signal-prepared-at";

    /** Moves an old file aside before the launch, and records the time. */
    void prepare(SignalLocation location) throws IOException {
        StepFiles step = stepFolder(location);
        if (step.claimed()) {
            return;
        }
        SignalFile file = at(location);
        file.prepareFolder();
        file.ignoreOwnFolders();
        file.moveAside(step, "leftover-signal.json");
        noteTime(step, file);
    }

    private static SignalFile at(SignalLocation location) throws IOException {
        try {
            return SignalFile.at(location);
        } catch (NoSuchFileException homeless) {
            throw new UnusableSignalException(gone(location) + "; create it", homeless);
        } catch (AccessDeniedException homeless) {
            throw new UnusableSignalException(unreadable(location) + "; let that user enter it", homeless);
        }
    }

    private static String unreadable(SignalLocation location) {
        return "workspace " + location.workspace() + " is not readable for user " + System.getProperty("user.name");
    }

    private static String gone(SignalLocation location) {
        return "workspace " + location.workspace() + " no longer exists";
    }

    /**
     * Writes the time of the launch, without which an older file would look like the step's own; a failure prevents the
     * launch.
     */
    private static void noteTime(StepFiles step, SignalFile file) throws IOException {
        step.make();
        OwnerOnly.write(step.path().resolve(PREPARED_AT), time(step, file).toString());
    }

    /** An agent of another user, as in a container, may own a folder that we cannot write. */
    private static Instant time(StepFiles step, SignalFile file) throws IOException {
        try {
            return SignalFile.time(file.path().getParent());
        } catch (AccessDeniedException forbidden) {
            return SignalFile.time(step.path());
        }
    }

    /** Parses and checks what was found. */
    SignalReading reading(SignalLocation location, SignalFile.Found found) {
        return found.obstacle()
                .<SignalReading>map(why -> new SignalReading.Invalid(SignalDetail.MALFORMED, why))
                .orElseGet(() -> SignalReader.read(found.bytes(), age(location, found), location.expected()));
    }

    private Optional<SignalAge> age(SignalLocation location, SignalFile.Found found) {
        return found.changedAt()
                .flatMap(changed -> preparedAt(location).map(prepared -> new SignalAge(changed, prepared)));
    }

    /** Absent where it cannot be read. */
    private Optional<Instant> preparedAt(SignalLocation location) {
        try {
            Path note = stepFolder(location).path().resolve(PREPARED_AT);
            return Optional.of(Instant.parse(Files.readString(note).strip()));
        } catch (IOException | DateTimeParseException unknown) {
            return Optional.empty();
        }
    }

    /** Reads the signal at the end of its step, and keeps a copy. */
    SignalReading readAndKeep(SignalLocation location) throws IOException {
        SignalFile.Found found = found(location);
        found.bytes().ifPresent(bytes -> keep(location, bytes));
        return reading(location, found);
    }

    private static SignalFile.Found found(SignalLocation location) throws IOException {
        SignalFile file;
        try {
            file = SignalFile.at(location);
        } catch (NoSuchFileException homeless) {
            return SignalFile.Found.obstacle(gone(location));
        } catch (AccessDeniedException homeless) {
            return SignalFile.Found.obstacle(unreadable(location));
        }
        return file.read();
    }

    /** The copy is for people; the rules use the answer. */
    private void keep(SignalLocation location, byte[] bytes) {
        StepFiles step = stepFolder(location);
        Path copy = step.path().resolve("signal.json");
        try {
            step.make();
            AtomicFile.replace(copy, bytes);
        } catch (IOException notKept) {
            LOG.warn("signal of step {} could not be copied to {}: {}", location.key(), copy, notKept.toString());
        }
    }

    private StepFiles stepFolder(SignalLocation location) {
        return StepFiles.of(data, location.runId(), location.stepId());
    }
}
