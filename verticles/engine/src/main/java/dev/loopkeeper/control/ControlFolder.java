package dev.loopkeeper.control;

import dev.loopkeeper.data.OwnFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The folder with one workspace's control files. Blocking.
 *
 * @param workspace absolute, as the run object spells it
 */
record ControlFolder(String workspace) {
    /** Most files per scan; the next scan handles the rest. */
    private static final int MOST_FILES = 256;

    private static final String WHERE = OwnFolder.NAME + "/control";

    /** Returns the control files, one per run; none where there is no such folder. */
    List<ControlFile> files() throws IOException {
        Path root = Path.of(workspace);
        Path folder = root.resolve(WHERE);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        if (!folder.toRealPath().startsWith(root.toRealPath())) {
            throw new IOException(folder + " leads out of the workspace; control files in it are ignored");
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            List<ControlFile> files = found(entries);
            if (!files.isEmpty()) {
                OwnFolder.ignore(folder.getParent(), root.toRealPath());
            }
            return files;
        } catch (NoSuchFileException | NotDirectoryException vanished) {
            return List.of();
        }
    }

    /** Selects one file per run: a taken file precedes a new one. */
    private List<ControlFile> found(DirectoryStream<Path> entries) {
        Map<String, ControlFile> files = new TreeMap<>();
        for (Path entry : entries) {
            ControlFile.named(this, entry)
                    .filter(file -> file.taken() || files.size() < MOST_FILES)
                    .ifPresent(file -> files.merge(file.runId(), file, (one, other) -> one.taken() ? one : other));
        }
        return List.copyOf(files.values());
    }
}
