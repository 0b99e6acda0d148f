package dev.loopkeeper.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.OutputDialect;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files in {@code <data>/runs/<runId>/steps/<stepId>/}: the logs of a step, and the records from which a later
 * runtime knows its state.
 * Incomplete JSON is treated as a missing note. Methods throw if a note cannot be read. All of them block.
 */
public final class StepFiles {
    /** The note of what is to be launched. */
    public static final String REQUEST = "request.json";

    /** The note of the launcher that claimed the step. */
    public static final String CLAIM = "claim.json";

    /** The context of the launch. */
    public static final String CONTEXT = "context.json";

    /** The note of protected files; of the run, what a later step may restore. */
    public static final String PROTECTED = "protected.json";

    /** What the events of a step that is over say as well. */
    private static final List<String> TRANSIENT = List.of(
            "exit.json",
            "launch.json",
            "stop.json",
            "ran.json",
            "sandbox.json",
            "exec-failed",
            "runtime-died",
            PROTECTED,
            "signal-prepared-at",
            "members.json");

    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");

    private final Path path;
    private final SmallFiles files;

    private StepFiles(Path path, SmallFiles files) {
        this.path = path;
        this.files = files;
    }

    /** Refuses names that would leave the data folder. */
    public static StepFiles of(Path data, String runId, String stepId) {
        return of(data, runId, stepId, SmallFiles.REAL);
    }

    /** The same, with its notes read in this way. */
    public static StepFiles of(Path data, String runId, String stepId, SmallFiles files) {
        return new StepFiles(RunPaths.step(data, safe(runId), safe(stepId)), files);
    }

    /** Whether the name is safe as a file name and in a shell word. */
    public static boolean isSafe(String name) {
        return SAFE.matcher(name).matches();
    }

    /** The same text, if it is safe as a file name and in a shell word. */
    public static String safe(String name) {
        if (!isSafe(name)) {
            throw new IllegalArgumentException("not safe as a file name: \"" + name + "\"");
        }
        return name;
    }

    /** The folder itself, which may not exist yet. */
    public Path path() {
        return path;
    }

    /** Creates the folder. Checks first, since creating an existing one costs an exception. */
    public void make() throws IOException {
        if (!Files.isDirectory(path)) {
            Files.createDirectories(path);
        }
    }

    /** Returns the format of the agent's standard output; plain text if none is recorded. */
    public OutputDialect output() throws IOException {
        return note(REQUEST, Request.class).map(Request::output).orElse(OutputDialect.TEXT);
    }

    private record Request(OutputDialect output) {}

    /** Whether only an open step needs the file of this name. */
    public static boolean isTransient(String name) {
        return TRANSIENT.contains(name);
    }

    /**
     * Removes what only an open step needs, and empty logs. A step that was never launched keeps no folder, unless an
     * earlier signal was moved there. Call it once the end of the step is durable in the store and nothing of it lives;
     * what a crash leaves costs disk space only.
     */
    public void tidy() throws IOException {
        for (String name : TRANSIENT) {
            Files.deleteIfExists(path.resolve(name));
        }
        new LogFile(path, "stdout").removeIfEmpty();
        new LogFile(path, "stderr").removeIfEmpty();
        if (!isRequested()) {
            try {
                Files.deleteIfExists(path);
            } catch (DirectoryNotEmptyException kept) {
                // An earlier signal was moved there.
            }
        }
    }

    /** Whether the launch of the step was requested. */
    public boolean isRequested() throws IOException {
        return exists(REQUEST);
    }

    /** Whether some launcher, or a stop before any launcher, took this step. */
    public boolean claimed() throws IOException {
        return exists(CLAIM);
    }

    /** Whether there is a file of this name. */
    public boolean exists(String file) throws IOException {
        return modified(file).isPresent();
    }

    /** When the file of this name was last written; absent where there is none. */
    public Optional<Instant> modified(String file) throws IOException {
        try {
            return Optional.of(Files.getLastModifiedTime(path.resolve(file)).toInstant());
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }

    /** The note of this name; absent where there is none that is whole. */
    public <T> Optional<T> note(String file, Class<T> type) throws IOException {
        try {
            return Optional.ofNullable(Json.MAPPER.readValue(files.read(path.resolve(file)), type));
        } catch (NoSuchFileException | JsonProcessingException absentOrUnfinished) {
            return Optional.empty();
        }
    }
}
