package dev.loopkeeper.store;

/** Ownership of all runs, see {@link Ownership#sole()}. */
enum SoleOwnership implements Ownership {
    ONLY;

    private static final long FIRST = 1;

    @Override
    public long epoch(String runId) {
        return FIRST;
    }

    @Override
    public boolean mayAct() {
        return true;
    }
}
