package dev.loopkeeper.process;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * First launch of a run since the boot of the machine: {@code <data>/runs/<runId>/boot.json}. The notes of a step are not
 * synced, since their processes do not survive a crash of the machine either. A step whose notes are missing after such
 * a crash must not look as if it was never launched: this note is synced once per run and boot, before the first launch.
 *
 * @param bootId of the machine
 * @param since number of the first launch in that boot; 0 where the run had none before. Numbers rise within a run
 */
record BootNote(String bootId, long since) {
    static final String FILE = "boot.json";

    /** The longest number of an event. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

    static final BootNote OF_ANOTHER_BOOT = new BootNote("", 0);

    /** Returns the number at the end of a nonce, e.g. 41 of {@code x7k2-41}: that of the event that began its step. */
    static OptionalLong number(String nonce) {
        String end = nonce.substring(nonce.lastIndexOf('-') + 1);
        return NUMBER.matcher(end).matches() ? OptionalLong.of(Long.parseLong(end)) : OptionalLong.empty();
    }

    /** Whether the launch with this nonce was requested in this boot. */
    boolean holds(String thisBoot, String nonce) {
        OptionalLong number = number(nonce);
        return bootId.equals(thisBoot) && number.isPresent() && number.getAsLong() >= since;
    }
}
