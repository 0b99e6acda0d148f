package dev.loopkeeper.contract.run;

import dev.loopkeeper.manifest.OutputDialect;
import java.util.Arrays;
import java.util.Objects;

/**
 * Answer: a part of a step's output, with the state of the log.
 *
 * @param bytes empty at the end
 * @param next offset at which to continue
 * @param size offset of the end; 0 if there is no file
 * @param begin offset of the first byte that was not dropped
 * @param launched whether the node has a folder of the step
 * @param output dialect of standard output
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
