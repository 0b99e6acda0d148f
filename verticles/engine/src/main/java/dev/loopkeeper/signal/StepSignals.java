package dev.loopkeeper.signal;

import dev.loopkeeper.contract.SignalChannels.SignalPlace;
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
    void prepare(SignalPlace place) throws IOException {
        StepFiles step = stepFolder(place);
        if (step.claimed()) {
            return;
        }
        SignalFile file = at(place);
        file.prepareFolder();
        file.ignoreOwnFolders();
        Optional<SignalFile.Aside> aside = file.moveAside(step, "leftover-signal.json");
        noteTime(step, file, aside.flatMap(SignalFile.Aside::at));
    }

    private static SignalFile at(SignalPlace place) throws IOException {
        try {
            return SignalFile.at(place);
        } catch (NoSuchFileException homeless) {
            throw new UnusableSignalException(gone(place) + "; create it", homeless);
        } catch (AccessDeniedException homeless) {
            throw new UnusableSignalException(unreadable(place) + "; let that user enter it", homeless);
        }
    }

    private static String unreadable(SignalPlace place) {
        return "workspace " + place.workspace() + " is not readable for user " + System.getProperty("user.name");
    }

    private static String gone(SignalPlace place) {
        return "workspace " + place.workspace() + " no longer exists";
    }

    /**
     * Writes the time of the launch, without which an older file would look like the step's own; a failure prevents the
     * launch.
     */
    private static void noteTime(StepFiles step, SignalFile file, Optional<Instant> known) throws IOException {
        step.make();
        Instant time = known.isPresent() ? known.get() : time(step, file);
        OwnerOnly.write(step.path().resolve(PREPARED_AT), time.toString());
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
    SignalReading reading(SignalPlace place, SignalFile.Found found) {
        return found.obstacle()
                .<SignalReading>map(why -> new SignalReading.Invalid(SignalDetail.MALFORMED, why))
                .orElseGet(() -> SignalReader.read(found.bytes(), age(place, found), place.expected()));
    }

    private Optional<SignalAge> age(SignalPlace place, SignalFile.Found found) {
        return found.changedAt()
                .flatMap(changed -> preparedAt(place).map(prepared -> new SignalAge(changed, prepared)));
    }

    /** Absent where it cannot be read. */
    private Optional<Instant> preparedAt(SignalPlace place) {
        try {
            Path note = stepFolder(place).path().resolve(PREPARED_AT);
            return Optional.of(Instant.parse(Files.readString(note).strip()));
        } catch (IOException | DateTimeParseException unknown) {
            return Optional.empty();
        }
    }

    /** Reads the signal at the end of its step, and keeps a copy. */
    SignalReading readAndKeep(SignalPlace place) throws IOException {
        SignalFile.Found found = found(place);
        found.bytes().ifPresent(bytes -> keep(place, bytes));
        return reading(place, found);
    }

    private static SignalFile.Found found(SignalPlace place) throws IOException {
        SignalFile file;
        try {
            file = SignalFile.at(place);
        } catch (NoSuchFileException homeless) {
            return SignalFile.Found.obstacle(gone(place));
        } catch (AccessDeniedException homeless) {
            return SignalFile.Found.obstacle(unreadable(place));
        }
        return file.read();
    }

    /** The copy is for people; the rules use the answer. */
    private void keep(SignalPlace place, byte[] bytes) {
        StepFiles step = stepFolder(place);
        Path copy = step.path().resolve("signal.json");
        try {
            step.make();
            AtomicFile.replace(copy, bytes);
        } catch (IOException notKept) {
            LOG.warn("signal of step {} could not be copied to {}: {}", place.key(), copy, notKept.toString());
        }
    }

    private StepFiles stepFolder(SignalPlace place) {
        return StepFiles.of(data, place.runId(), place.stepId());
    }
}
