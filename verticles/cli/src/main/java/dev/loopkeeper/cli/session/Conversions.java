package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.json.WireName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import picocli.CommandLine.TypeConversionException;

/** Values of arguments, out of what was typed. */
final class Conversions {
    private Conversions() {}

    static Integer number(String text) {
        return whole(text, Integer::valueOf);
    }

    static Long large(String text) {
        return whole(text, Long::valueOf);
    }

    private static <N> N whole(String text, Function<String, N> reader) {
        try {
            return reader.apply(text);
        } catch (NumberFormatException none) {
            throw new TypeConversionException("'" + Words.shown(text) + "' is not a whole number, or too large");
        }
    }

    static Double decimal(String text) {
        try {
            double number = Double.parseDouble(text);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException none) {
            // Told below, as NaN and infinity are.
        }
        throw new TypeConversionException("'" + Words.shown(text) + "' is not a number such as 2.5");
    }

    static <E extends Enum<E> & WireName> E named(Class<E> type, String word) {
        return WireName.find(type, word)
                .orElseThrow(() -> new TypeConversionException(
                        "'" + Words.oneLine(word) + "' is not one of " + String.join(", ", WireName.all(type))));
    }

    static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException none) {
            throw new TypeConversionException("'" + Words.shown(text) + "' is no path (" + none.getReason() + ")");
        }
    }
}
