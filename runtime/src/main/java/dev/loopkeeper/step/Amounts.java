package dev.loopkeeper.step;

import java.math.BigDecimal;
import java.math.RoundingMode;

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
}
