package dev.loopkeeper.process.tree;

/**
 * The latest scans that found no member.
 *
 * @param complete whether one of them was complete, so that no later process descends from the step
 */
record CleanScans(int scans, boolean complete) {
    static final CleanScans NONE = new CleanScans(0, false);
    /** The number of clean scans in a row that do not miss a forking process. */
    static final int ENOUGH = 2;

    CleanScans plus(boolean completeScan) {
        return new CleanScans(scans + 1, complete || completeScan);
    }

    boolean isEnd() {
        return scans >= ENOUGH && complete;
    }
}
