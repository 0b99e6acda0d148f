package dev.loopkeeper.contract.run;

/**
 * Request: the files of a run that this node has and that an export contains, by path.
 *
 * @param after path after which to begin; empty for the first
 * @param limit 1 to {@value #MOST}
 */
public record ListRunFiles(String runId, String after, int limit) {
    /** Files of one answer. */
    public static final int MOST = 1000;
}
