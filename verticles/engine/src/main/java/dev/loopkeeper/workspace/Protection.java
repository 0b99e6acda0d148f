package dev.loopkeeper.workspace;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.git.GitNames;
import dev.loopkeeper.git.TreeChange;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.ProtectedFiles;
import dev.loopkeeper.step.ProtectedFiles.State;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.workspace.WorkspaceDigest.Guarded;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the protected files before a step is launched, in the step's folder, and finds those that it changed. A
 * runtime that was killed in between finds both again. Blocking; thread-safe.
 */
final class Protection {
    /**
     * What is known of a step's protected files.
     *
     * @param nonce of the launch
     * @param guarded before the launch; once the step was judged, the changed ones only
     * @param commit that was checked out then
     * @param changed escaped names; absent until the step was judged
     */
    private record Note(String nonce, Guarded guarded, Optional<String> commit, Optional<List<String>> changed) {}

    /**
     * States that a step may restore, although they were changed before it.
     *
     * @param files before a step was rejected for them
     */
    private record Restorable(Map<String, State> files) {}

    private static final Logger LOG = LoggerFactory.getLogger(Protection.class);

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
        Guarded guarded = digest.states(workspace, data, of(step), Optional.empty());
        if (step.folders().worktree().isPresent()) {
            saved(step).save(workspace, guarded.files());
        }
        Optional<String> commit =
                guarded.rules().isEmpty() ? Optional.empty() : RepositoryState.head(digest.git(), workspace);
        files(step).make();
        write(step, new Note(step.nonce(), guarded, commit, Optional.empty()));
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
            saved(step).setBack(Path.of(step.workspace()), judged.guarded().files(), names);
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
                .forEach(
                        name -> files.putIfAbsent(name, judged.guarded().files().getOrDefault(name, State.ABSENT)));
        AtomicFile.replaceDurably(restorableFile(step), Json.MAPPER.writeValueAsBytes(new Restorable(files)));
    }

    private Note judged(StepSpec step, Note before) throws IOException {
        Map<String, State> earlier = new TreeMap<>(before.guarded().files());
        Map<String, State> now = digest.states(Path.of(step.workspace()), data, of(step), Optional.of(before.guarded()))
                .files();
        Set<String> changed = new TreeSet<>(ProtectedFiles.changed(earlier, now, restorable(step)));
        if (before.commit().isPresent() && !now.isEmpty()) {
            changed.addAll(hidden(step, before.commit().get(), now.keySet()));
        }
        earlier.keySet().retainAll(changed);
        Guarded rest = new Guarded(earlier, Map.of());
        Note judged = new Note(before.nonce(), rest, before.commit(), Optional.of(List.copyOf(changed)));
        write(step, judged);
        return judged;
    }

    /** Returns the names that only commits of the step changed, not the files. */
    private Set<String> hidden(StepSpec step, String commit, Set<String> now) throws IOException {
        Path workspace = Path.of(step.workspace());
        Optional<List<TreeChange>> changes = RepositoryState.changedSince(digest.git(), workspace, commit);
        if (changes.isEmpty()) {
            LOG.warn(
                    "run {}: since {} git finds no commit that is checked out in {}: protected files were compared, commits"
                            + " were not; check .git, and restore it from a clone if it is damaged",
                    step.runId(),
                    step.stepId(),
                    workspace);
        }
        Set<String> hidden = new TreeSet<>();
        for (TreeChange change : changes.orElse(List.of())) {
            String name = WorkspaceFiles.escaped(change.name());
            boolean differs = switch (change.status()) {
                case "A" -> !now.contains(name);
                case "D" -> now.contains(name);
                default -> change.isHidden(WorkspaceFiles.at(workspace, change.name()));
            };
            if (differs && of(step).cover(new String(change.name(), StandardCharsets.UTF_8))) {
                hidden.add(name);
            }
        }
        return hidden;
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
