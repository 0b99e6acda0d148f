package dev.loopkeeper.gateway.access;

import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.termination.RefusalCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Folders in which workspaces of submitted runs must lie. */
public final class AllowedWorkspaces {
    private final List<Path> folders;

    private AllowedWorkspaces(List<Path> folders) {
        this.folders = List.copyOf(folders);
    }

    /** Resolves links once. Blocks; fails for a missing folder and for a file. */
    public static AllowedWorkspaces of(List<Path> given) throws IOException {
        List<Path> real = new ArrayList<>();
        for (Path folder : given) {
            Path there = folder.toRealPath();
            if (!Files.isDirectory(there)) {
                throw new NotDirectoryException(folder.toString());
            }
            real.add(there);
        }
        return new AllowedWorkspaces(real);
    }

    /** Refuses a workspace outside of all folders. Its links must be resolved already. */
    public void check(String workspace) {
        boolean allowed = folders.isEmpty()
                || folders.stream().anyMatch(folder -> Path.of(workspace).startsWith(folder));
        if (!allowed) {
            throw new Problem(
                    RefusalCode.FORBIDDEN_WORKSPACE,
                    "the workspace " + OneLine.of(workspace, OneLine.SUMMARY) + " is not allowed; name a folder in "
                            + folders.stream().map(Path::toString).collect(Collectors.joining(" or in ")));
        }
    }
}
