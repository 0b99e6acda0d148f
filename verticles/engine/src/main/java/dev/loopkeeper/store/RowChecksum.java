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
        return of(counted(parts));
    }

    /** Returns the checksum of values, given their bytes. */
    public static long of(byte... counted) {
        CRC32C checksum = new CRC32C();
        checksum.update(counted);
        return checksum.getValue();
    }

    /** Returns the bytes of these values, for {@link #of(Object, byte[])}. */
    public static byte[] counted(Object... parts) {
        byte[][] texts = new byte[parts.length][];
        int length = 0;
        for (int part = 0; part < parts.length; part++) {
            texts[part] = String.valueOf(parts[part]).getBytes(StandardCharsets.UTF_8);
            length += Integer.BYTES + texts[part].length;
        }
        ByteBuffer counted = ByteBuffer.allocate(length);
        for (byte[] text : texts) {
            counted.putInt(text.length).put(text);
        }
        return counted.array();
    }

    /** Returns the checksum of a value and the bytes of those after it. */
    public static long of(Object first, byte[] rest) {
        CRC32C checksum = new CRC32C();
        checksum.update(counted(first));
        checksum.update(rest);
        return checksum.getValue();
    }
}
