package dev.loopkeeper.gateway;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.manifest.OutputDialect;
import java.io.IOException;

/** Port: where the output of one step lies. All methods block; none is called on an event loop. */
interface LogSource {
    /** How the agent's standard output is read. */
    OutputDialect output() throws IOException;

    /** Offset of the end; 0 while there is no file. */
    long size() throws IOException;

    /** Offset of the first byte that is kept. */
    long begin() throws IOException;

    /** Up to so many bytes from here on; none while there is no file. What was dropped is told in one part, as text. */
    LogFile.Part read(long offset, int length) throws IOException;

    /** Whether the step was launched there. A step without a folder may be one all the same. */
    boolean hasFolder();
}
