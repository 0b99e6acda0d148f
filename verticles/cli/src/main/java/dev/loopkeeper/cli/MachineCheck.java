package dev.loopkeeper.cli;

/**
 * One thing of this machine that a promise rests on.
 *
 * @param guarantee what holds because of it
 * @param needed whether Loopkeeper cannot work without it
 * @param found what was seen
 */
record MachineCheck(String guarantee, boolean needed, boolean holds, String found) {}
