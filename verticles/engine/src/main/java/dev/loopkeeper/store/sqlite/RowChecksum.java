package dev.loopkeeper.store.sqlite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** CRC32C over the content of one row; each part counts with its length, so that no two rows run together. */
final class RowChecksum {
    private RowChecksum() {}

    static long of(Object... parts) {
        CRC32C checksum = new CRC32C();
        for (Object part : parts) {
            byte[] bytes = String.valueOf(part).getBytes(StandardCharsets.UTF_8);
            checksum.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
            checksum.update(bytes);
        }
        return checksum.getValue();
    }
}
