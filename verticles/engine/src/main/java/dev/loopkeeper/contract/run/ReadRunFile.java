package dev.loopkeeper.contract.run;

/**
 * Request: a part of a run's file on this node's disk.
 *
 * @param path as in {@link RunFile}
 * @param length in bytes, 1 to {@value #MOST}
 */
public record ReadRunFile(String runId, String path, long offset, int length) {
    /** Bytes of one answer. */
    public static final int MOST = 128 * 1024;
}
