package dev.loopkeeper.process;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.OwnerOnly;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.data.WriteProbe;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.process.tree.Cgroup;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.TreeRecord;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.LaunchContext;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Reads and writes the records of a step's processes in its folder, see {@link StepFiles}: the order, the launcher that
 * claimed it, the agent, its end and its survivors. Blocking.
 */
public final class StepFolder implements TreeRecord {
    private static final String MEMBERS = "members.json";
    private static final String SURVIVORS = "survivors.json";
    private final StepFiles files;
    private final Path path;

    private StepFolder(StepFiles files) {
        this.files = files;
        this.path = files.path();
    }

    /** Refuses names that would leave the data folder. */
    public static StepFolder of(Path data, String runId, String stepId, SmallFiles files) {
        return new StepFolder(StepFiles.of(data, runId, stepId, files));
    }

    /** Why it was stopped. */
    record StopNote(ExitCause cause) {}

    /** What the kernel enforces on the step. */
    private record SandboxNote(String level) {}

    /** The folder itself, which may not exist yet. */
    Path path() {
        return path;
    }

    Path prompt() {
        return path.resolve("prompt.md");
    }

    /** Results of earlier steps, for the launch. */
    Path context() {
        return path.resolve(StepFiles.CONTEXT);
    }

    /** Writes the context atomically. */
    void noteContext(LaunchContext context) throws IOException {
        AtomicFile.replace(context(), Json.MAPPER.writeValueAsBytes(context));
    }

    /** Records the sandbox before the launch, for a runtime that adopts the step. */
    void noteSandbox(String level) throws IOException {
        AtomicFile.replace(path.resolve("sandbox.json"), Json.MAPPER.writeValueAsBytes(new SandboxNote(level)));
    }

    @Override
    public Optional<String> sandbox() throws IOException {
        return files.note("sandbox.json", SandboxNote.class).map(SandboxNote::level);
    }

    public Path stdout() {
        return path.resolve("stdout.log");
    }

    Path stderr() {
        return path.resolve("stderr.log");
    }

    /** Makes the folder itself. */
    void make() throws IOException {
        files.make();
    }

    /** Creates the folder with the launch request; always returns true. */
    @CanIgnoreReturnValue
    boolean open(StepOrder order) throws IOException {
        write(order, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        return true;
    }

    /** Does the same for a step that was never requested; otherwise does nothing and returns false. */
    boolean openFirst(StepOrder order) throws IOException {
        try {
            write(order, StandardOpenOption.CREATE_NEW);
            return true;
        } catch (FileAlreadyExistsException asked) {
            return false;
        }
    }

    /**
     * In place: a partial note is not valid JSON and is treated as absent. Not synced: its processes do not survive a
     * crash of the machine either, and the synced {@link BootNote} proves the launch.
     */
    private void write(StepOrder order, StandardOpenOption... how) throws IOException {
        make();
        OpenOption[] options = Stream.concat(Stream.of(how), Stream.of(StandardOpenOption.WRITE))
                .toArray(OpenOption[]::new);
        try (FileChannel channel = OwnerOnly.open(path.resolve(StepFiles.REQUEST), options)) {
            OwnerOnly.writeAll(channel, Json.MAPPER.writeValueAsBytes(order));
        }
    }

    /**
     * See {@link StepFiles#tidy}. Does nothing while processes are left, which a later stop ends by the notes.
     *
     * @param over whether this runtime saw its end; otherwise only a step that was never launched is tidied
     */
    void tidy(boolean over) throws IOException {
        if ((over || !files.isRequested()) && !files.exists(SURVIVORS)) {
            files.tidy();
        }
    }

    /** Fails where a launcher's notes could not be written either. */
    void tryWriting() throws IOException {
        Void unused = new WriteProbe(path).write();
    }

    /** Makes that note durable, for a launch that no {@link BootNote} proves. */
    void sync() throws IOException {
        AtomicFile.syncFile(path.resolve(StepFiles.REQUEST));
        AtomicFile.syncFolder(path);
    }

    /** Whether the machine may have restarted since the launch with this nonce was requested; then notes are missing. */
    boolean isOfEarlierBoot(String bootId, String nonce) throws IOException {
        String note = path.getParent().resolveSibling(BootNote.FILE).toString();
        return files.exists(note)
                && files.note(note, BootNote.class)
                        .filter(since -> since.holds(bootId, nonce))
                        .isEmpty();
    }

    Optional<StepOrder> order() throws IOException {
        return files.note(StepFiles.REQUEST, StepOrder.class);
    }

    /** Whether some launcher, or a stop before any launcher, took this step. */
    boolean claimed() throws IOException {
        return files.claimed();
    }

    /**
     * Returns the process that claimed the step; absent while the launcher writes its identity, pid 0 if a stop claimed
     * it.
     */
    Optional<Identity> claimant() throws IOException {
        return files.note(StepFiles.CLAIM, Identity.class);
    }

    /** The agent; absent before it was executed. */
    Optional<Identity> agent() throws IOException {
        return files.note("launch.json", Identity.class);
    }

    Optional<StepNotes.ExitNote> exit() throws IOException {
        return files.note("exit.json", StepNotes.ExitNote.class);
    }

    Optional<StopNote> stopped() throws IOException {
        return files.note("stop.json", StopNote.class);
    }

    /** Whether the agent's program could not be executed. */
    boolean execFailed() throws IOException {
        return files.exists("exec-failed");
    }

    /** Whether the launcher ended the agent because the runtime died. */
    boolean runtimeDied() throws IOException {
        return files.exists("runtime-died");
    }

    /** When the agent was executed, or else when its launch was requested. */
    Optional<Instant> startedAt() throws IOException {
        Optional<Instant> launched = files.modified("launch.json");
        return launched.isPresent() ? launched : files.modified(StepFiles.REQUEST);
    }

    /** When the launcher recorded the end. */
    Optional<Instant> endedAt() throws IOException {
        return files.modified("exit.json");
    }

    /** When its agent, or the runtime that watched it, last wrote here. */
    Optional<Instant> lastSign() throws IOException {
        Optional<Instant> newest = startedAt();
        for (String file : List.of("stdout.log", "stderr.log", "ran.json")) {
            Optional<Instant> written = files.modified(file);
            newest = Stream.of(newest, written).flatMap(Optional::stream).max(Comparator.naturalOrder());
        }
        return newest;
    }

    /** Returns the running time that an earlier runtime recorded, if any. */
    Optional<Ran> ran() throws IOException {
        Optional<RunningTime.Counted> note = files.note("ran.json", RunningTime.Counted.class);
        Optional<Instant> at = files.modified("ran.json");
        return note.isPresent() && at.isPresent() ? Optional.of(new Ran(note.get(), at.get())) : Optional.empty();
    }

    /** The running time that a runtime recorded at this time. */
    record Ran(RunningTime.Counted counted, Instant at) {}

    /** Records it for a runtime that adopts the step; a crash may lose the newest note. */
    void noteRan(RunningTime.Counted counted) throws IOException {
        AtomicFile.replace(path.resolve("ran.json"), Json.MAPPER.writeValueAsBytes(counted));
    }

    /** Takes the claim, so that no launcher ever launches this step; false when one has. */
    boolean claimForStop() throws IOException {
        try (FileChannel claim = OwnerOnly.open(
                path.resolve(StepFiles.CLAIM), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            OwnerOnly.writeAll(claim, "{}\n".getBytes(StandardCharsets.US_ASCII));
            return true;
        } catch (FileAlreadyExistsException claimed) {
            return false;
        }
    }

    /** Records the cause of the stop, for a runtime that finds only the exit status. The first one counts. */
    void noteStop(ExitCause cause) throws IOException {
        Path note = path.resolve("stop.json");
        if (Files.isDirectory(path) && !Files.exists(note)) {
            AtomicFile.replace(note, Json.MAPPER.writeValueAsBytes(new StopNote(cause)));
        }
    }

    @Override
    public OptionalLong leaderHeldUntil() throws IOException {
        Optional<StepNotes.ExitNote> exit = exit();
        return exit.isPresent() ? exit.get().endTicks() : OptionalLong.empty();
    }

    @Override
    public List<Path> outputs() throws IOException {
        try {
            Path real = path.toRealPath();
            return List.of(real.resolve("stdout.log"), real.resolve("stderr.log"));
        } catch (NoSuchFileException removed) {
            return List.of();
        }
    }

    @Override
    public Optional<Cgroup> enclosure() throws IOException {
        return order().flatMap(StepOrder::enclosure);
    }

    @Override
    public Map<Identity, String> members() throws IOException {
        return noted(MEMBERS);
    }

    @Override
    public void noteMembers(Map<Identity, String> members) throws IOException {
        AtomicFile.replace(path.resolve(MEMBERS), Json.MAPPER.writeValueAsBytes(StepNotes.SurvivorsNote.of(members)));
    }

    Map<Identity, String> survivors() throws IOException {
        return noted(SURVIVORS);
    }

    private Map<Identity, String> noted(String note) throws IOException {
        return files.note(note, StepNotes.SurvivorsNote.class)
                .map(StepNotes.SurvivorsNote::members)
                .orElseGet(Map::of);
    }

    /** The processes that could not be killed are gone. */
    void forgetSurvivors() throws IOException {
        Files.deleteIfExists(path.resolve(SURVIVORS));
    }

    public void noteSurvivors(Map<Identity, String> members) throws IOException {
        AtomicFile.replaceDurably(
                path.resolve(SURVIVORS), Json.MAPPER.writeValueAsBytes(StepNotes.SurvivorsNote.of(members)));
    }
}
