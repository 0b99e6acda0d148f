package dev.loopkeeper.contract;

/**
 * Number of differences between two commits.
 *
 * @param files number of files
 * @param insertions lines; a binary file has none
 * @param deletions lines; a binary file has none
 */
public record Changes(int files, long insertions, long deletions) {
    /** No difference. */
    public static final Changes NONE = new Changes(0, 0, 0);
}
