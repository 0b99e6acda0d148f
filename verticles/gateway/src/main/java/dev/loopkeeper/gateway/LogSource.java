package dev.loopkeeper.gateway;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.manifest.OutputDialect;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

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

    /** Opened for many reads; absent while there is no file. */
    Optional<Reader> open() throws IOException;

    /** Whether the step was launched there. A step without a folder may be one all the same. */
    boolean hasFolder();

    /** One that is open; by one thread at a time. */
    interface Reader extends Closeable {
        /**
         * Puts what stands from here on into {@code memory}, up to its limit, nothing at the end. A marker, where it
         * stands, comes alone, and beyond the limit where it must.
         *
         * @param memory at its beginning; its capacity is larger than any marker
         * @return where to read on
         */
        long read(long offset, ByteBuffer memory) throws IOException;
    }
}
