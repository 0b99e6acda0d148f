package dev.loopkeeper.contract.run;

/**
 * Question: a part of a file of a run, as it lies on this node's disk.
 *
 * @param path as {@link RunFile} has it
 * @param length in bytes, 1 to {@value #MOST}
 */
public record ReadRunFile(String runId, String path, long offset, int length) {
    /** Of one answer. */
    public static final int MOST = 128 * 1024;
}
