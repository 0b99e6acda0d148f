package dev.loopkeeper.step;

import java.util.Optional;

/**
 * Tokens of one model, each counted in one part only.
 *
 * @param model as the agent's output names it; absent when it does not
 * @param input neither read from nor written to a cache
 * @param cached input read from a cache
 * @param cacheWritten input written to a cache
 * @param output with reasoning
 */
public record ModelTokens(Optional<String> model, long input, long cached, long cacheWritten, long output) {
    /** Of an agent that counts the cached tokens among its input. */
    public static ModelTokens within(Optional<String> model, long input, long cached, long cacheWritten, long output) {
        return new ModelTokens(model, Math.max(0, input - cached - cacheWritten), cached, cacheWritten, output);
    }
}
