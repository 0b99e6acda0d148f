package dev.loopkeeper.workspace;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.git.GitNames;
import dev.loopkeeper.git.GitProgram;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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
     * @param warnings for people, of the judgement
     */
    private record Note(
            String nonce,
            Guarded guarded,
            Optional<String> commit,
            Optional<List<String>> changed,
            List<String> warnings) {}

    /**
     * What a step did to protected files.
     *
     * @param names of changed files, as git spells names
     * @param warnings for people
     */
    record Changed(List<String> names, List<String> warnings) {
        static final Changed NOTHING = new Changed(List.of(), List.of());
    }

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
    void remember(StepSpec step, List<String> confinement) throws IOException {
        if (note(step).isPresent()) {
            return;
        }
        Path workspace = Path.of(step.workspace());
        GitProgram git = digest.git(confinement);
        Guarded guarded = digest.states(workspace, data, of(step), Optional.empty(), git);
        if (step.worktree().isPresent()) {
            saved(step).save(workspace, guarded.files());
        }
        Optional<String> commit = guarded.rules().isEmpty() ? Optional.empty() : RepositoryState.head(git, workspace);
        files(step).make();
        write(step, new Note(step.nonce(), guarded, commit, Optional.empty(), List.of()));
    }

    /** In a worktree, also sets the files back. Safe to repeat. */
    Changed changed(StepSpec step, List<String> confinement) throws IOException {
        Optional<Note> note = note(step);
        if (note.isEmpty()) {
            return Changed.NOTHING;
        }
        Note judged = note.get().changed().isPresent() ? note.get() : judged(step, note.get(), digest.git(confinement));
        List<String> names = judged.changed().orElseThrow();
        if (names.isEmpty()) {
            return new Changed(names, judged.warnings());
        }
        if (step.worktree().isPresent()) {
            saved(step).setBack(Path.of(step.workspace()), judged.guarded().files(), names);
        } else {
            allow(step, judged);
        }
        return new Changed(
                names.stream()
                        .map(name -> GitNames.spelled(WorkspaceFiles.bytes(name)))
                        .sorted()
                        .toList(),
                judged.warnings());
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

    private Note judged(StepSpec step, Note before, GitProgram git) throws IOException {
        Map<String, State> earlier = new TreeMap<>(before.guarded().files());
        Map<String, State> now = digest.states(
                        Path.of(step.workspace()), data, of(step), Optional.of(before.guarded()), git)
                .files();
        Set<String> changed = new TreeSet<>(ProtectedFiles.changed(earlier, now, restorable(step)));
        List<String> warnings = new ArrayList<>();
        if (before.commit().isPresent() && !now.isEmpty()) {
            Optional<List<TreeChange>> commits = RepositoryState.changedSince(
                    git, Path.of(step.workspace()), before.commit().get());
            changed.addAll(hidden(step, commits.orElse(List.of()), now.keySet()));
            if (commits.isEmpty()) {
                warnings.add("since step " + step.stepId() + " git finds no commit that is checked out in "
                        + step.workspace() + ", so protected files were compared, but not commits; check .git, and"
                        + " restore it from a clone if it is damaged");
            }
        }
        earlier.keySet().retainAll(changed);
        Guarded rest = new Guarded(earlier, Map.of());
        Note judged = new Note(before.nonce(), rest, before.commit(), Optional.of(List.copyOf(changed)), warnings);
        write(step, judged);
        return judged;
    }

    /** Returns the names that only commits of the step changed, not the files. */
    private static Set<String> hidden(StepSpec step, List<TreeChange> changes, Set<String> now) throws IOException {
        Path workspace = Path.of(step.workspace());
        Set<String> hidden = new TreeSet<>();
        for (TreeChange change : changes) {
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
