package dev.loopkeeper.bundle;

import dev.loopkeeper.data.AtomicFile;
import java.io.IOException;
import java.util.SortedMap;

/** Port: gives access to the files of runs. Blocks. */
@FunctionalInterface
public interface RunFiles {
    /** Returns the files of a run that a bundle contains, by path in the run's folder; empty without a folder. */
    SortedMap<String, AtomicFile.Content> of(String runId) throws IOException;
}
