package dev.loopkeeper.bundle;

/**
 * How large a bundle may be, unpacked.
 *
 * @param factBytes of each entry with facts, such as the events
 */
record BundleLimits(long totalBytes, int factBytes, int entries) {
    private static final long MOST_FACT_BYTES = 512 << 20;
    /** Facts are held in memory as bytes, text, lines and events, some of these at the same time. */
    private static final int COPIES = 8;

    /** 16 GiB in all, 200,000 files, and of events 512 MiB or what this machine's heap can hold. */
    static final BundleLimits DEFAULTS =
            new BundleLimits(16L << 30, factBytes(Runtime.getRuntime().maxMemory()), 200_000);

    /** The same for one that is not read into memory but checked, and kept. */
    static final BundleLimits UNREAD = new BundleLimits(16L << 30, Integer.MAX_VALUE - 1, 200_000);

    static int factBytes(long heapBytes) {
        return (int) Math.min(MOST_FACT_BYTES, heapBytes / COPIES);
    }
}
