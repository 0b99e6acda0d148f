package dev.loopkeeper.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Computes the CRC32C of a row. Each value is preceded by its length, so that different rows cannot have the same
 * bytes.
 */
public final class RowChecksum {
    private RowChecksum() {}

    /** Returns the checksum of these values, each as text, in this order. */
    public static long of(Object... parts) {
        CRC32C checksum = new CRC32C();
        for (Object part : parts) {
            byte[] text = String.valueOf(part).getBytes(StandardCharsets.UTF_8);
            checksum.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(text.length).flip());
            checksum.update(text);
        }
        return checksum.getValue();
    }
}
