package dev.loopkeeper.submit;

import dev.loopkeeper.step.OneLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Folders in which workspaces of runs must lie. */
public final class AllowedFolders {
    /** Any workspace. */
    public static final AllowedFolders ALL = new AllowedFolders(List.of());

    private final List<Path> folders;

    private AllowedFolders(List<Path> folders) {
        this.folders = List.copyOf(folders);
    }

    /**
     * Resolves links once. Blocks; fails for a missing folder and for a file.
     *
     * @param given none: any workspace
     */
    public static AllowedFolders of(List<Path> given) throws IOException {
        List<Path> real = new ArrayList<>();
        for (Path folder : given) {
            Path there = folder.toRealPath();
            if (!Files.isDirectory(there)) {
                throw new NotDirectoryException(folder.toString());
            }
            real.add(there);
        }
        return new AllowedFolders(real);
    }

    /** Returns why a workspace, whose links are resolved, is outside of all folders; empty if it is not. */
    public Optional<String> refusal(String workspace) {
        boolean allowed = folders.isEmpty()
                || folders.stream().anyMatch(folder -> Path.of(workspace).startsWith(folder));
        return allowed
                ? Optional.empty()
                : Optional.of("the workspace " + OneLine.of(workspace, OneLine.SUMMARY)
                        + " is not allowed; name a folder in "
                        + folders.stream().map(Path::toString).collect(Collectors.joining(" or in ")));
    }
}
