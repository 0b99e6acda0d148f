package dev.loopkeeper.contract.run;

/**
 * Question: which files of a run this node has, those that an export takes along, by path.
 *
 * @param after the path after which to begin; empty for the first
 * @param limit 1 to {@value #MOST}
 */
public record ListRunFiles(String runId, String after, int limit) {
    /** Of one answer. */
    public static final int MOST = 1000;
}
