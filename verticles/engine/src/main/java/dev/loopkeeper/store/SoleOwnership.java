package dev.loopkeeper.store;

/** See {@link Ownership#sole()}. */
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
