package dev.loopkeeper.process.tree;

/**
 * A folder of {@code /proc}.
 *
 * @param instance inode of the folder, which a later process with the same pid does not have; 0 if unknown
 */
record ProcEntry(long pid, long instance) {
    static final long UNKNOWN = 0;
}
