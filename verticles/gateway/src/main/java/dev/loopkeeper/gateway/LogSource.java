package dev.loopkeeper.gateway;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.manifest.OutputDialect;
import java.io.IOException;

/** Port: reads the output of one step. All methods block; do not call them on an event loop. */
interface LogSource {
    /** Returns the dialect of the agent's standard output. */
    OutputDialect output() throws IOException;

    /** Returns the offset of the end; 0 if there is no file. */
    long size() throws IOException;

    /** Returns the offset of the first byte that was not dropped. */
    long begin() throws IOException;

    /** Reads at most this many bytes; none if there is no file. Dropped bytes are returned as one part with a text. */
    LogFile.Part read(long offset, int length) throws IOException;

    /** Returns whether the step has a folder there. A step without one may exist all the same. */
    boolean hasFolder();
}
