package dev.loopkeeper.store;

import dev.loopkeeper.work.HostName;

/** See {@link Ownership#sole()}. */
enum SoleOwnership implements Ownership {
    ONLY;

    private static final long FIRST = 1;

    private final String machine = HostName.of(System.getenv());

    @Override
    public long epoch(String runId) {
        return FIRST;
    }

    @Override
    public boolean mayAct() {
        return true;
    }

    @Override
    public String place() {
        return machine;
    }
}
