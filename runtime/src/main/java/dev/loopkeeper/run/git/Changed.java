package dev.loopkeeper.run.git;

import dev.loopkeeper.step.Amounts;

/**
 * The size of the difference between two commits.
 *
 * @param insertions lines
 * @param deletions lines
 */
public record Changed(int files, long insertions, long deletions) {
    public static final Changed NOTHING = new Changed(0, 0, 0);

    /** E.g. {@code 2 files, +31 -4}. */
    public String text() {
        return Amounts.count(files, "file") + ", +" + insertions + " -" + deletions;
    }
}
