package dev.loopkeeper.contract;

/**
 * The facts about a step's stdout that its end requires.
 *
 * @param matched whether the agent said the expected text; false when none was expected
 * @param digest SHA-256 in hex of the normalised text; of its first and last 256 KiB when it is longer
 */
public record OutputDigest(boolean matched, String digest) {
    /** The output was not read. */
    public static final OutputDigest UNREAD = new OutputDigest(false, "");
}
