package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;

/**
 * The result of one check of this machine.
 *
 * @param guarantee the guarantee that depends on it
 * @param needed whether Loopkeeper cannot work without it
 * @param found what the check found
 * @param remedy what to do if it does not hold; empty if it holds, or if {@code found} says it
 */
record MachineCheck(
        String guarantee,
        boolean needed,
        boolean holds,
        String found,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> remedy) {
    MachineCheck(String guarantee, boolean needed, boolean holds, String found) {
        this(guarantee, needed, holds, found, Optional.empty());
    }

    /** Creates a check that Loopkeeper cannot work without. */
    static MachineCheck required(String guarantee, boolean holds, String found) {
        return new MachineCheck(guarantee, true, holds, found);
    }

    /** Creates a check of an optional improvement. */
    static MachineCheck useful(String guarantee, boolean holds, String found) {
        return new MachineCheck(guarantee, false, holds, found);
    }

    /** Returns the check with a remedy if it does not hold. */
    MachineCheck orElse(String todo) {
        return holds ? this : new MachineCheck(guarantee, needed, false, found, Optional.of(todo));
    }
}
