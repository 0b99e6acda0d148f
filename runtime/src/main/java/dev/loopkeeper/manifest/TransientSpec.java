package dev.loopkeeper.manifest;

/**
 * Defines how Loopkeeper handles transient errors.
 *
 * @param max retries with the same agent, 0 or more; default 8
 * @param waits the key is wait: with auto (true, the default) a paused run resumes automatically at the provider's
 * reset time; with never (false) it stays paused
 */
public record TransientSpec(int max, boolean waits) {
    /** Eight retries, and a wait for the provider's reset. */
    public static final TransientSpec DEFAULTS = new TransientSpec(8, true);
}
