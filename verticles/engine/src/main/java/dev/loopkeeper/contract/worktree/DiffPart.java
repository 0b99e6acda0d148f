package dev.loopkeeper.contract.worktree;

import java.util.Arrays;

/**
 * Answer: a part of the changes between two commits.
 *
 * @param bytes at most {@value #MOST}; empty only at the end
 * @param last whether no part follows
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as git said them; equals and hashCode compare what they hold
public record DiffPart(byte[] bytes, boolean last) {
    /** Bytes of one answer. */
    public static final int MOST = 128 * 1024;

    @Override
    public boolean equals(Object other) {
        return other instanceof DiffPart part && Arrays.equals(bytes, part.bytes) && last == part.last;
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(bytes) + Boolean.hashCode(last);
    }

    @Override
    public String toString() {
        return "DiffPart[" + bytes.length + " bytes" + (last ? ", the last" : "") + "]";
    }
}
