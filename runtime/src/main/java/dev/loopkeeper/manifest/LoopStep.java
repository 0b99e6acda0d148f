package dev.loopkeeper.manifest;

/**
 * A step of a loop's iteration.
 *
 * @param every runs in each iteration of the loop whose number is a multiple of this; 1 or more, default 1
 * @param requested written {@code when: requested}: runs unless an earlier signal of the iteration opts out
 */
public record LoopStep(String agent, int every, boolean requested) {}
