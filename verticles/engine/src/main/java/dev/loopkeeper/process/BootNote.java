package dev.loopkeeper.process;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Since which launch of a run the machine has been up: {@code <data>/runs/<runId>/boot.json}. The notes of a step are not
 * synced, since the processes that they tell of do not survive the machine either. What is missing after its crash must
 * still not look as if it had never been launched: this note is synced, once for a run in each boot, before the first
 * launch.
 *
 * @param bootId of the machine
 * @param since number of the first launch in that boot; 0 where there was none before it, numbers rise within a run
 */
record BootNote(String bootId, long since) {
    static final String FILE = "boot.json";

    /** A longer one is no number of an event. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

    static final BootNote OF_ANOTHER_BOOT = new BootNote("", 0);

    /** The number at the end of a nonce, e.g. 41 of {@code x7k2-41}: that of the event by which its step began. */
    static OptionalLong number(String nonce) {
        String end = nonce.substring(nonce.lastIndexOf('-') + 1);
        return NUMBER.matcher(end).matches() ? OptionalLong.of(Long.parseLong(end)) : OptionalLong.empty();
    }

    /** Whether the launch with this nonce was asked for in this boot. */
    boolean holds(String thisBoot, String nonce) {
        OptionalLong number = number(nonce);
        return bootId.equals(thisBoot) && number.isPresent() && number.getAsLong() >= since;
    }
}
