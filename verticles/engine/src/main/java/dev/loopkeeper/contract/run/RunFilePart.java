package dev.loopkeeper.contract.run;

import java.util.Arrays;

/**
 * Answer: a part of a file.
 *
 * @param bytes fewer than requested at the end of the file
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as they were read; equals and hashCode compare what they hold
public record RunFilePart(byte[] bytes) {
    @Override
    public boolean equals(Object other) {
        return other instanceof RunFilePart part && Arrays.equals(bytes, part.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "RunFilePart[" + bytes.length + " bytes]";
    }
}
