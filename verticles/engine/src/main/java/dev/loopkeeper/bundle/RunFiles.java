package dev.loopkeeper.bundle;

import dev.loopkeeper.data.AtomicFile;
import java.io.IOException;
import java.util.SortedMap;

/** Port: where the files of runs lie. Blocks. */
@FunctionalInterface
public interface RunFiles {
    /** What a bundle has of a run's folder, by the path in there; nothing where there is no folder. */
    SortedMap<String, AtomicFile.Content> of(String runId) throws IOException;
}
