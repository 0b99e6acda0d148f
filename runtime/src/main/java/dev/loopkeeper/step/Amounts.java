package dev.loopkeeper.step;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Formats counts with their nouns and amounts of money for people. */
public final class Amounts {
    private static final int CENTS = 2;
    private static final int SIGNIFICANT_DIGITS = 2;

    private Amounts() {}

    /** E.g. {@code 1 step}, {@code 2 steps}, {@code 0 steps}. */
    public static String count(long number, String noun) {
        return count(number, noun, noun + "s");
    }

    /** E.g. {@code 1 retry}, {@code 3 retries}. */
    public static String count(long number, String one, String more) {
        return number + " " + (number == 1 ? one : more);
    }

    /** E.g. {@code 8h}, {@code 1h 30m}, {@code 45s}, {@code 900ms}: cut after the second unit. */
    public static String duration(long millis) {
        Duration time = Duration.ofMillis(millis);
        if (millis < 1000) {
            return millis + "ms";
        }
        return time.toHours() > 0
                ? two(time.toHours(), "h", time.toMinutesPart(), "m")
                : two(time.toMinutes(), "m", time.toSecondsPart(), "s");
    }

    private static String two(long first, String unit, long second, String smaller) {
        String rest = second + smaller;
        return first == 0 ? rest : first + unit + (second == 0 ? "" : " " + rest);
    }

    /**
     * US dollars in whole cents, below one cent with two significant digits: {@code $1.25}, {@code $25.00}, {@code
     * $0.0012}.
     */
    public static String dollars(double amount) {
        BigDecimal exact = BigDecimal.valueOf(amount);
        int scale = CENTS;
        if (exact.signum() != 0 && exact.abs().compareTo(BigDecimal.ONE.movePointLeft(CENTS)) < 0) {
            scale = exact.scale() - exact.precision() + SIGNIFICANT_DIGITS;
        }
        BigDecimal rounded = exact.setScale(Math.max(CENTS, scale), RoundingMode.HALF_EVEN);
        return (rounded.signum() < 0 ? "-$" : "$") + rounded.abs().toPlainString();
    }

    /** The same with a sign for an estimate, e.g. {@code ≈$1.25}. */
    public static String cost(double amount, boolean estimated) {
        return (estimated ? "≈" : "") + dollars(amount);
    }
}
