package dev.loopkeeper.bundle;

/**
 * How large a bundle may be, unpacked.
 *
 * @param factBytes of each entry with facts, such as the events
 */
record BundleLimits(long totalBytes, int factBytes, int entries) {
    /** 16 GiB in all, 512 MiB of events, 200,000 files. */
    static final BundleLimits DEFAULTS = new BundleLimits(16L << 30, 512 << 20, 200_000);
}
