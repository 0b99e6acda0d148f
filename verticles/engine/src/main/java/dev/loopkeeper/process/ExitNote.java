package dev.loopkeeper.process;

import java.util.OptionalLong;

/**
 * How an agent ended, by its launcher.
 *
 * @param endTicks when it had ended and its pid was still its own, in clock ticks since boot; absent where unknown, and
 *     in notes of older launchers
 */
record ExitNote(int exitCode, OptionalLong endTicks) {
    ExitNote {
        endTicks = endTicks == null ? OptionalLong.empty() : endTicks;
    }
}
