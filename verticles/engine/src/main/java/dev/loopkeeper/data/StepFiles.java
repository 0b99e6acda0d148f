package dev.loopkeeper.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.OutputDialect;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
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

    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");

    private final Path path;
    private final SmallFiles files;
    private final FinishedStepFile summary;

    private StepFiles(Path path, SmallFiles files) {
        this.path = path;
        this.summary = new FinishedStepFile(path);
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
        Optional<Request> open = note(REQUEST, Request.class);
        return (open.isPresent() ? open : ofSummary()).map(Request::output).orElse(OutputDialect.TEXT);
    }

    private record Request(OutputDialect output) {}

    private Optional<Request> ofSummary() throws IOException {
        Optional<byte[]> request = summary.find(REQUEST);
        return request.isPresent() ? read(request.get(), Request.class) : Optional.empty();
    }

    /** Content of a small file of a step that is over; absent where the file is not a part of the summary. */
    public Optional<byte[]> summarised(String file) throws IOException {
        return summary.find(file);
    }

    /** Whether the step is over and its small files are in one file, {@code step.txt}. */
    public boolean isSummarised() {
        return summary.exists();
    }

    /**
     * Moves the small files of a step into one, {@code step.txt}. Call it once the end of the step is durable in the store.
     *
     * @param soleLauncher whether no second launcher was ever started for the step
     */
    public void summarise(boolean soleLauncher) throws IOException {
        summary.write(soleLauncher);
    }

    /** Removes the folder of an ended step that was never launched; an earlier signal in it stays. */
    public void removeUnlaunched() throws IOException {
        summary.removeUnlaunched();
    }

    /**
     * Returns the steps of a run whose agents ended or were never launched, and whose small files still lie apart: steps
     * that are still open in the store, and steps whose {@link #summarise} a crash prevented.
     */
    public static List<String> pending(Path data, String runId) throws IOException {
        List<String> pending = new ArrayList<>();
        try (DirectoryStream<Path> steps = Files.newDirectoryStream(RunPaths.steps(data, safe(runId)))) {
            for (Path step : steps) {
                if (new FinishedStepFile(step).isPending()) {
                    pending.add(step.getFileName().toString());
                }
            }
        } catch (NoSuchFileException nothingLaunched) {
            return List.of();
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        return pending;
    }

    /** Whether some launcher, or a stop before any launcher, took this step. */
    public boolean claimed() throws IOException {
        return exists(CLAIM) || isSummarised();
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
        byte[] content;
        try {
            content = files.read(path.resolve(file));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
        return read(content, type);
    }

    private static <T> Optional<T> read(byte[] content, Class<T> type) throws IOException {
        try {
            return Optional.ofNullable(Json.MAPPER.readValue(content, type));
        } catch (JsonProcessingException unfinished) {
            return Optional.empty();
        }
    }
}
