package dev.loopkeeper.contract.run;

import dev.loopkeeper.manifest.OutputDialect;
import java.util.Arrays;
import java.util.Objects;

/**
 * Answer: a part of a step's output, and what is known of the whole.
 *
 * @param bytes none at the end
 * @param next where to read on
 * @param size offset of the end; 0 while there is no file
 * @param begin offset of the first byte that is kept
 * @param launched whether the node has anything of the step
 * @param output how standard output is to be read
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as they were read; equals and hashCode compare what they hold
public record LogPart(byte[] bytes, long next, long size, long begin, boolean launched, OutputDialect output) {
    @Override
    public boolean equals(Object other) {
        return other instanceof LogPart part
                && Arrays.equals(bytes, part.bytes)
                && next == part.next
                && size == part.size
                && begin == part.begin
                && launched == part.launched
                && output == part.output;
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(bytes), next, size, begin, launched, output);
    }

    @Override
    public String toString() {
        return "LogPart[" + bytes.length + " bytes before " + next + " of " + size + "]";
    }
}
