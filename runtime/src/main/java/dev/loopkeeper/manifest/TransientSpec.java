package dev.loopkeeper.manifest;

/**
 * What is done about errors that pass by themselves.
 *
 * @param max tries again with the same agent, 0 or more; default 8
 * @param waits the key is wait: auto (true, the default) lets a paused run go on by itself at the
 *     provider's reset time, never (false) leaves it paused
 */
public record TransientSpec(int max, boolean waits) {
    /** Eight tries, and a wait for the provider's reset. */
    public static final TransientSpec DEFAULTS = new TransientSpec(8, true);
}
