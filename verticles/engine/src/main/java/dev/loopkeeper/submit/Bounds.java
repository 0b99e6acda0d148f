package dev.loopkeeper.submit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Keeps what agents are given inside their workspace, also where symbolic links lead.
 *
 * @param workspace absolute and without symbolic links
 */
record Bounds(Path workspace) {
    /** Why this path, relative to the workspace, may not be used; empty when it may. */
    Optional<String> objection(String written) {
        try {
            Path path = workspace.resolve(written);
            boolean inside = leadsInside(path) && leadsInside(path.normalize());
            boolean climbs = !Path.of(written).isAbsolute() && !path.normalize().startsWith(workspace);
            return inside && !climbs ? Optional.empty() : Optional.of(outside(written));
        } catch (InvalidPathException noPath) {
            return Optional.of("expected a path");
        } catch (IOException broken) {
            return Optional.of(written + " contains a symbolic link that cannot be resolved");
        }
    }

    /** Checked as written and normalised: a folder before {@code ..} may be a link, or be missing. */
    private boolean leadsInside(Path path) throws IOException {
        return nearestExisting(path).toRealPath().startsWith(workspace);
    }

    private String outside(String written) {
        return written + " is outside the workspace " + workspace + "; use a relative path without ..";
    }

    /** A link is treated as existing even if it leads nowhere, since a file could be created through it. */
    private static Path nearestExisting(Path path) {
        Path existing = path;
        while (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return existing;
    }
}
