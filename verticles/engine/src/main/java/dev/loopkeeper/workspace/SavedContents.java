package dev.loopkeeper.workspace;

import dev.loopkeeper.data.FolderRemoval;
import dev.loopkeeper.step.ProtectedFiles.State;
import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** Keeps files by their content, each once, and sets files back to it. Blocking. */
record SavedContents(Path folder, Clock clock) {
    private static final CopyOption[] EXACTLY = {
        LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING
    };

    void save(Path workspace, Map<String, State> files) throws IOException {
        Files.createDirectories(folder);
        for (Map.Entry<String, State> file : files.entrySet()) {
            Path kept = folder.resolve(file.getValue().content());
            if (isSaved(file.getValue()) && !Files.exists(kept, LinkOption.NOFOLLOW_LINKS)) {
                Path draft = Files.createTempFile(folder, "", "");
                Files.copy(path(workspace, file.getKey()), draft, EXACTLY);
                Files.move(draft, kept, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    /** A file whose content was not read is in no copy. */
    private static boolean isSaved(State state) {
        return state.content().contains("-");
    }

    private static Path path(Path workspace, String name) {
        return WorkspaceFiles.at(workspace.toUri().getRawPath(), name);
    }

    /** Restores these files, and removes those that were absent before. Safe to repeat. */
    void setBack(Path workspace, Map<String, State> before, List<String> names) throws IOException {
        Files.createDirectories(workspace);
        for (String name : names) {
            Path path = path(workspace, name);
            State state = before.getOrDefault(name, State.ABSENT);
            if (isSaved(state)) {
                clearWay(workspace, path.getParent());
                FolderRemoval.remove(path);
                Files.copy(folder.resolve(state.content()), path, EXACTLY);
                touch(path);
            } else if (state.equals(State.ABSENT) && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                FolderRemoval.remove(path);
            }
        }
    }

    /** Programs that compare times must see that the file is another one than the agent's. */
    private void touch(Path path) throws IOException {
        if (!Files.isSymbolicLink(path)) {
            Files.setLastModifiedTime(path, FileTime.from(clock.instant()));
        }
    }

    /** Replaces links and files by folders: behind a link are files of others. */
    private static void clearWay(Path workspace, Path parent) throws IOException {
        Path at = workspace;
        for (Path part : workspace.relativize(parent)) {
            at = at.resolve(part);
            if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                Files.deleteIfExists(at);
                Files.createDirectories(at);
            }
            if (!Files.isWritable(at) && !at.toFile().setWritable(true)) {
                throw new IOException(at + " is write-protected");
            }
        }
    }
}
