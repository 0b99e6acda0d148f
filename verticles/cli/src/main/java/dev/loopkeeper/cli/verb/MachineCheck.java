package dev.loopkeeper.cli.verb;

/**
 * One thing of this machine that a promise rests on.
 *
 * @param guarantee what holds because of it
 * @param needed whether Loopkeeper cannot work without it
 * @param found what was seen
 */
record MachineCheck(String guarantee, boolean needed, boolean holds, String found) {
    /** Loopkeeper cannot work without it. */
    static MachineCheck required(String guarantee, boolean holds, String found) {
        return new MachineCheck(guarantee, true, holds, found);
    }

    /** It makes something better. */
    static MachineCheck useful(String guarantee, boolean holds, String found) {
        return new MachineCheck(guarantee, false, holds, found);
    }
}
