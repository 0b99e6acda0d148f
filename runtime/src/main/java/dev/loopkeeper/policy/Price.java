package dev.loopkeeper.policy;

import java.time.LocalDate;
import java.util.Optional;

/**
 * The price of a model, in US dollars per million tokens.
 *
 * @param model glob, e.g. {@code gpt-5*}
 * @param inputPerMTok of input that is not cached
 * @param cachedInputPerMTok of input read from a cache; default that of input
 * @param cacheWritePerMTok of input written to a cache; default that of input
 * @param outputPerMTok of output with reasoning
 * @param asOf when the price was looked up, for people
 */
public record Price(
        String model,
        double inputPerMTok,
        double cachedInputPerMTok,
        double cacheWritePerMTok,
        double outputPerMTok,
        Optional<LocalDate> asOf) {}
