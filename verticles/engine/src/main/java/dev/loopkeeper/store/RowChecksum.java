package dev.loopkeeper.store;

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

    /** The same sum where all but the first part was counted before. */
    public static long of(Object first, byte[] rest) {
        CRC32C checksum = new CRC32C();
        checksum.update(counted(first));
        checksum.update(rest);
        return checksum.getValue();
    }
}
