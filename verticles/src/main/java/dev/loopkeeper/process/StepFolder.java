package dev.loopkeeper.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ExitCause;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code <data>/runs/<runId>/steps/<stepId>/}: the logs of a step and the notes by which a later runtime knows what
 * became of it. A note that is not whole JSON counts as not written. A note that cannot be read may be there or not:
 * then methods throw. Blocking.
 */
public final class StepFolder {
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");

    private final Path path;
    private final SmallFiles files;

    private StepFolder(Path path, SmallFiles files) {
        this.path = path;
        this.files = files;
    }

    /** Refuses names that would leave the data folder. */
    public static StepFolder of(Path data, String runId, String stepId) {
        return of(data, runId, stepId, SmallFiles.REAL);
    }

    /** The same, with its notes read in this way. */
    static StepFolder of(Path data, String runId, String stepId, SmallFiles files) {
        return new StepFolder(RunPaths.step(data, safe(runId), safe(stepId)), files);
    }

    /** The same text, if it is safe as a file name and in a shell word. */
    static String safe(String name) {
        if (!SAFE.matcher(name).matches()) {
            throw new IllegalArgumentException("not safe as a file name: \"" + name + "\"");
        }
        return name;
    }

    /** How an agent ended, by its launcher. */
    record ExitNote(int exitCode) {}

    /** Why it was asked to end. */
    record StopNote(ExitCause cause) {}

    /** The folder itself, which may not exist yet. */
    public Path path() {
        return path;
    }

    Path prompt() {
        return path.resolve("prompt.md");
    }

    Path stdout() {
        return path.resolve("stdout.log");
    }

    Path stderr() {
        return path.resolve("stderr.log");
    }

    /** Makes the folder and the durable note of what is to be launched. */
    void open(StepOrder order) throws IOException {
        Files.createDirectories(path);
        // In place: a part of it is no JSON and counts as not written, and a rename would cost a commit of its own.
        AtomicFile.write(path.resolve("request.json"), Json.MAPPER.writeValueAsBytes(order));
        AtomicFile.syncFolder(path);
    }

    /** How the agent's standard output is read; plain text where nothing says so. */
    public OutputDialect output() throws IOException {
        return order().map(StepOrder::output).orElse(OutputDialect.TEXT);
    }

    Optional<StepOrder> order() throws IOException {
        return note("request.json", StepOrder.class);
    }

    /** Whether some launcher, or a stop before any launcher, took this step. */
    public boolean claimed() throws IOException {
        return exists("claim.json");
    }

    /** Who took it; absent while the launcher writes its name, pid 0 when a stop was first. */
    Optional<Identity> claimant() throws IOException {
        return note("claim.json", Identity.class);
    }

    /** The agent; absent before it was executed. */
    Optional<Identity> agent() throws IOException {
        return note("launch.json", Identity.class);
    }

    Optional<ExitNote> exit() throws IOException {
        return note("exit.json", ExitNote.class);
    }

    Optional<StopNote> stopped() throws IOException {
        return note("stop.json", StopNote.class);
    }

    /** Whether the agent's program could not be executed. */
    boolean execFailed() throws IOException {
        return exists("exec-failed");
    }

    /** Whether the launcher ended the agent because the runtime died. */
    boolean runtimeDied() throws IOException {
        return exists("runtime-died");
    }

    /** When the agent was executed, or else when it was asked for. */
    Optional<Instant> startedAt() throws IOException {
        Optional<Instant> launched = modified("launch.json");
        return launched.isPresent() ? launched : modified("request.json");
    }

    /** When the launcher recorded the end. */
    Optional<Instant> endedAt() throws IOException {
        return modified("exit.json");
    }

    /** Takes the claim, so that no launcher ever launches this step; false when one has. */
    boolean claimForStop() throws IOException {
        try {
            Files.writeString(path.resolve("claim.json"), "{}\n", StandardOpenOption.CREATE_NEW);
            return true;
        } catch (FileAlreadyExistsException claimed) {
            return false;
        }
    }

    /** Remembers who asked for the end, for a runtime that finds only the exit status. The first one counts. */
    void noteStop(ExitCause cause) throws IOException {
        Path note = path.resolve("stop.json");
        if (Files.isDirectory(path) && !Files.exists(note)) {
            AtomicFile.replace(note, Json.MAPPER.writeValueAsBytes(new StopNote(cause)));
        }
    }

    /** Who of it would not die, with how each was found; for another try. */
    record SurvivorsNote(List<Survivor> survivors) {
        /** One of them. */
        record Survivor(Identity identity, String foundBy) {}

        static SurvivorsNote of(Map<Identity, String> members) {
            return new SurvivorsNote(members.entrySet().stream()
                    .map(member -> new Survivor(member.getKey(), member.getValue()))
                    .toList());
        }
    }

    Map<Identity, String> survivors() throws IOException {
        Map<Identity, String> members = new LinkedHashMap<>();
        note("survivors.json", SurvivorsNote.class)
                .ifPresent(note ->
                        note.survivors().forEach(survivor -> members.put(survivor.identity(), survivor.foundBy())));
        return members;
    }

    void noteSurvivors(Map<Identity, String> members) throws IOException {
        AtomicFile.replaceDurably(
                path.resolve("survivors.json"), Json.MAPPER.writeValueAsBytes(SurvivorsNote.of(members)));
    }

    private boolean exists(String file) throws IOException {
        return modified(file).isPresent();
    }

    private Optional<Instant> modified(String file) throws IOException {
        try {
            return Optional.of(Files.getLastModifiedTime(path.resolve(file)).toInstant());
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }

    private <T> Optional<T> note(String file, Class<T> type) throws IOException {
        byte[] content;
        try {
            content = files.read(path.resolve(file));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(Json.MAPPER.readValue(content, type));
        } catch (JsonProcessingException unfinished) {
            return Optional.empty();
        }
    }
}
