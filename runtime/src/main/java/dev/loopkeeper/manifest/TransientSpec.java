package dev.loopkeeper.manifest;

/**
 * Defines how Loopkeeper handles transient errors.
 *
 * @param max retries with the same agent, 0 or more; default 8
 * @param waits whether a paused run resumes at the provider's reset time, by default true; in a manifest {@code auto},
 * else {@code never}
 * @param automatic most times that a run resumes automatically since a person resumed it, 1 or more; default 100
 */
public record TransientSpec(int max, boolean waits, int automatic) {
    /** Eight retries, and a wait for the provider's reset. */
    public static final TransientSpec DEFAULTS = new TransientSpec(8, true, 100);
}
