package dev.loopkeeper.run;

/**
 * The size of the difference between two commits.
 *
 * @param insertions lines
 * @param deletions lines
 */
public record Changed(int files, long insertions, long deletions) {
    public static final Changed NOTHING = new Changed(0, 0, 0);
}
