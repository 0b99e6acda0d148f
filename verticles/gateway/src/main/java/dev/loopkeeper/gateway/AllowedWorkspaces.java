package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The folders that submitted runs may work in. */
final class AllowedWorkspaces {
    private final List<Path> folders;

    private AllowedWorkspaces(List<Path> folders) {
        this.folders = List.copyOf(folders);
    }

    /** Follows links once, at the start; blocking. Fails for a folder that is not there, and for what is none. */
    static AllowedWorkspaces of(List<Path> given) throws IOException {
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

    /** Refuses a workspace outside of all of them; its links were followed when it was checked. */
    void check(String workspace) {
        boolean allowed = folders.isEmpty()
                || folders.stream().anyMatch(folder -> Path.of(workspace).startsWith(folder));
        if (!allowed) {
            throw new Problem(
                    403,
                    "forbidden-workspace",
                    "runs may not work in this workspace; the server's --allow-workspace names where they may");
        }
    }
}
