package dev.loopkeeper.policy;

import java.math.BigDecimal;
import java.math.MathContext;
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
        Optional<LocalDate> asOf) {
    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    /** Returns the cost of these tokens in US dollars; each is in one of the four counts. */
    public BigDecimal of(long input, long cached, long cacheWritten, long output) {
        return cost(input, inputPerMTok)
                .add(cost(cached, cachedInputPerMTok))
                .add(cost(cacheWritten, cacheWritePerMTok))
                .add(cost(output, outputPerMTok));
    }

    private static BigDecimal cost(long tokens, double perMTok) {
        return BigDecimal.valueOf(tokens).multiply(BigDecimal.valueOf(perMTok)).divide(MILLION, MathContext.DECIMAL64);
    }
}
