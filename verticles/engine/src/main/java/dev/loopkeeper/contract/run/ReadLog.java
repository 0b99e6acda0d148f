package dev.loopkeeper.contract.run;

/**
 * Request: a part of the output of a step that this node executed.
 *
 * @param stream {@code stdout}, {@code stderr} or {@code prompt}
 * @param offset of the first byte
 * @param length in bytes, at most {@value #MOST}; 0 returns the state of the log only
 */
public record ReadLog(String runId, String stepId, String stream, long offset, int length) {
    /** Bytes of one answer. */
    public static final int MOST = 128 * 1024;
}
