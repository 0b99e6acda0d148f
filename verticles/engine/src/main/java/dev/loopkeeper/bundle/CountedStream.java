package dev.loopkeeper.bundle;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Counts written bytes. */
final class CountedStream extends FilterOutputStream {
    private long bytes;

    CountedStream(OutputStream out) {
        super(out);
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void write(int value) throws IOException {
        out.write(value);
        bytes++;
    }

    @Override
    public void write(byte[] values, int offset, int length) throws IOException {
        out.write(values, offset, length);
        bytes += length;
    }
}
