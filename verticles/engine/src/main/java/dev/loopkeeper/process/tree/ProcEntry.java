package dev.loopkeeper.process.tree;

/**
 * One folder of {@code /proc}.
 *
 * @param instance number of the folder itself, which a process that gets the same pid later does not have; 0 when it is
 *     not known, and then nobody can tell whether the process is the same as before
 */
record ProcEntry(long pid, long instance) {
    static final long UNKNOWN = 0;
}
