package dev.loopkeeper.contract.run;

/**
 * Question: a part of the output of a step that this node has carried out.
 *
 * @param stream {@code stdout}, {@code stderr} or {@code prompt}
 * @param offset where it begins
 * @param length in bytes, at most {@value #MOST}; 0 asks for what is known of the log alone
 */
public record ReadLog(String runId, String stepId, String stream, long offset, int length) {
    /** Of one answer. */
    public static final int MOST = 128 * 1024;
}
