package dev.loopkeeper.cli.verb;

import java.util.Optional;

/**
 * One thing of this machine that a promise rests on.
 *
 * @param guarantee what holds because of it
 * @param needed whether Loopkeeper cannot work without it
 * @param found what was seen
 * @param remedy what to do where it does not hold; absent where it holds, or where {@code found} says so
 */
record MachineCheck(String guarantee, boolean needed, boolean holds, String found, Optional<String> remedy) {
    MachineCheck(String guarantee, boolean needed, boolean holds, String found) {
        this(guarantee, needed, holds, found, Optional.empty());
    }

    /** Loopkeeper cannot work without it. */
    static MachineCheck required(String guarantee, boolean holds, String found) {
        return new MachineCheck(guarantee, true, holds, found);
    }

    /** It makes something better. */
    static MachineCheck useful(String guarantee, boolean holds, String found) {
        return new MachineCheck(guarantee, false, holds, found);
    }

    /** The same with what to do where it does not hold. */
    MachineCheck orElse(String todo) {
        return holds ? this : new MachineCheck(guarantee, needed, false, found, Optional.of(todo));
    }
}
