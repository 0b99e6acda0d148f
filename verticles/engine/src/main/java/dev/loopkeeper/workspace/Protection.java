package dev.loopkeeper.workspace;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.git.GitNames;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.ProtectedFiles;
import dev.loopkeeper.step.ProtectedFiles.State;
import dev.loopkeeper.step.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Remembers the protected files before a step is launched, in the step's folder, and finds those that it changed. A
 * runtime that was killed in between finds both again. Blocking; thread-safe.
 */
final class Protection {
    /**
     * What is known of a step's protected files.
     *
     * @param nonce of the launch
     * @param files by escaped name, before the launch; once the step was judged, the changed ones only
     * @param changed escaped names; absent until the step was judged
     */
    private record Note(String nonce, Map<String, State> files, Optional<List<String>> changed) {}

    /**
     * States that a step may restore, although they were changed before it.
     *
     * @param files before a step was rejected for them
     */
    private record Restorable(Map<String, State> files) {}

    private final WorkspaceDigest digest;
    private final Path data;
    private final Clock clock;

    Protection(WorkspaceDigest digest, Path data, Clock clock) {
        this.digest = digest;
        this.data = data;
        this.clock = clock;
    }

    /** Also of a step that may run already: then the note is there. */
    void remember(StepSpec step) throws IOException {
        if (note(step).isPresent()) {
            return;
        }
        Path workspace = Path.of(step.workspace());
        Map<String, State> files = digest.states(workspace, data, of(step), Set.of());
        if (step.folders().worktree().isPresent()) {
            saved(step).save(workspace, files);
        }
        files(step).make();
        write(step, new Note(step.nonce(), files, Optional.empty()));
    }

    /** Returns the names of changed files, as git spells names. In a worktree, sets the files back. Safe to repeat. */
    List<String> changed(StepSpec step) throws IOException {
        Optional<Note> note = note(step);
        if (note.isEmpty()) {
            return List.of();
        }
        Note judged = note.get().changed().isPresent() ? note.get() : judged(step, note.get());
        List<String> names = judged.changed().orElseThrow();
        if (names.isEmpty()) {
            return names;
        }
        if (step.folders().worktree().isPresent()) {
            saved(step).setBack(Path.of(step.workspace()), judged.files(), names);
        } else {
            allow(step, judged);
        }
        return names.stream()
                .map(name -> GitNames.spelled(WorkspaceFiles.bytes(name)))
                .sorted()
                .toList();
    }

    /** A later step may undo what this one did. */
    private synchronized void allow(StepSpec step, Note judged) throws IOException {
        Map<String, State> files = restorable(step);
        judged.changed()
                .orElseThrow()
                .forEach(name -> files.putIfAbsent(name, judged.files().getOrDefault(name, State.ABSENT)));
        AtomicFile.replaceDurably(restorableFile(step), Json.MAPPER.writeValueAsBytes(new Restorable(files)));
    }

    private Note judged(StepSpec step, Note before) throws IOException {
        Map<String, State> earlier = new TreeMap<>(before.files());
        Set<String> lists = marks(earlier);
        Map<String, State> now =
                new TreeMap<>(digest.states(Path.of(step.workspace()), data, of(step), earlier.keySet()));
        lists.removeAll(marks(now));
        for (String list : lists) {
            withoutRepository(Path.of(step.workspace()), list, earlier, now);
        }
        List<String> changed = ProtectedFiles.changed(earlier, now, restorable(step));
        earlier.keySet().retainAll(changed);
        Note judged = new Note(before.nonce(), earlier, Optional.of(changed));
        write(step, judged);
        return judged;
    }

    /**
     * Leaves the earlier files only in a folder whose repository the step removed: without git those that it ignored would
     * look new. Fails where the repository is there, but git does not list it.
     */
    private static void withoutRepository(
            Path workspace, String mark, Map<String, State> earlier, Map<String, State> now) throws IOException {
        String folder = mark.substring(0, mark.length() - WorkspaceFiles.LISTED.length());
        Path at = WorkspaceFiles.at(workspace.toUri().getRawPath(), folder);
        if (Files.isDirectory(workspace) && WorkspaceFiles.isInRepository(at, folder.isEmpty())) {
            throw new IOException("git does not list the files of " + at + " any more");
        }
        now.keySet().removeIf(name -> name.startsWith(folder) && !earlier.containsKey(name));
    }

    /** Removes and returns the marks of repositories that git listed. */
    private static Set<String> marks(Map<String, State> files) {
        Set<String> marks = new HashSet<>(files.keySet());
        marks.removeIf(name -> !name.endsWith(WorkspaceFiles.LISTED));
        files.keySet().removeAll(marks);
        return marks;
    }

    private static ProtectedFiles of(StepSpec step) {
        return new ProtectedFiles(step.agentSpec().loss().protect());
    }

    private StepFiles files(StepSpec step) {
        return StepFiles.of(data, step.runId(), step.stepId());
    }

    private SavedContents saved(StepSpec step) {
        return new SavedContents(RunPaths.run(data, step.runId()).resolve("protected"), clock);
    }

    private Optional<Note> note(StepSpec step) throws IOException {
        return files(step)
                .note(StepFiles.PROTECTED, Note.class)
                .filter(note -> note.nonce().equals(step.nonce()));
    }

    private void write(StepSpec step, Note note) throws IOException {
        AtomicFile.replaceDurably(files(step).path().resolve(StepFiles.PROTECTED), Json.MAPPER.writeValueAsBytes(note));
    }

    private Path restorableFile(StepSpec step) {
        return RunPaths.run(data, step.runId()).resolve(StepFiles.PROTECTED);
    }

    private Map<String, State> restorable(StepSpec step) throws IOException {
        Path file = restorableFile(step);
        return Files.exists(file)
                ? new HashMap<>(Json.MAPPER
                        .readValue(Files.readAllBytes(file), Restorable.class)
                        .files())
                : new HashMap<>();
    }
}
