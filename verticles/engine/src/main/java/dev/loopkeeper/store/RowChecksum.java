package dev.loopkeeper.store;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** CRC32C over the content of one row; each part counts with its length, so that no two rows run together. */
public final class RowChecksum {
    private RowChecksum() {}

    /** Of these in this order; each counts as the text that it prints as. */
    public static long of(Object... parts) {
        CRC32C checksum = new CRC32C();
        checksum.update(counted(parts));
        return checksum.getValue();
    }

    /** As it counts: the same sum comes of {@link #of(Object, byte[])} with what stands before these. */
    public static byte[] counted(Object... parts) {
        ByteArrayOutputStream counted = new ByteArrayOutputStream();
        for (Object part : parts) {
            byte[] bytes = String.valueOf(part).getBytes(StandardCharsets.UTF_8);
            counted.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            counted.writeBytes(bytes);
        }
        return counted.toByteArray();
    }

    /** The same sum where all but the first part was counted before. */
    public static long of(Object first, byte[] rest) {
        CRC32C checksum = new CRC32C();
        checksum.update(counted(first));
        checksum.update(rest);
        return checksum.getValue();
    }
}
