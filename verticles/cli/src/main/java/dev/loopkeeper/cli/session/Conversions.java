package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Parses typed argument values and describes invalid ones. */
public final class Conversions {
    /** Java also parses the digits of other scripts. */
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+");

    private Conversions() {}

    /** Registers these converters with a command line and its subcommands. */
    public static void addTo(CommandLine line) {
        line.registerConverter(int.class, Conversions::number)
                .registerConverter(Integer.class, Conversions::number)
                .registerConverter(Long.class, Conversions::large)
                .registerConverter(Double.class, Conversions::decimal);
    }

    private static Integer number(String text) {
        return whole(text, Integer::valueOf);
    }

    private static Long large(String text) {
        return whole(text, Long::valueOf);
    }

    private static <N> N whole(String text, Function<String, N> reader) {
        try {
            if (WHOLE.matcher(text).matches()) {
                return reader.apply(text);
            }
        } catch (NumberFormatException tooLarge) {
            // Rejected below, like text.
        }
        throw new TypeConversionException("'" + Words.shown(text) + "' is not a whole number, or too large");
    }

    private static Double decimal(String text) {
        try {
            double number = Double.parseDouble(text);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException none) {
            // Rejected below, like NaN and infinity.
        }
        throw new TypeConversionException("'" + Words.shown(text) + "' is not a number such as 2.5");
    }
}
