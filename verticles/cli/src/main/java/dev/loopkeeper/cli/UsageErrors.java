package dev.loopkeeper.cli;

import dev.loopkeeper.cli.print.Words;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in the words of a person who typed it. */
final class UsageErrors {
    private UsageErrors() {}

    /** One sentence that names the option, or the word that has no place. */
    static String of(ParameterException wrong) {
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched);
        }
        if (!(wrong.getArgSpec() instanceof OptionSpec option)) {
            return wrong.getMessage();
        }
        boolean pair = option.isMultiValue() && Map.class.isAssignableFrom(option.type());
        return pair && wrong.getValue() != null
                ? option.longestName() + " must be " + option.paramLabel() + ", was '" + Words.shown(wrong.getValue())
                        + "'"
                : wrong.getMessage().replace("'" + option.longestName() + "'", option.longestName());
    }

    private static String unmatched(UnmatchedArgumentException wrong) {
        List<String> words = wrong.getUnmatched();
        CommandSpec verb = wrong.getCommandLine().getCommandSpec();
        String first = Words.shown(words.get(0));
        boolean option = wrong.isUnknownOption();
        if (verb.parent() == null) {
            return option ? "there is no option " + first : "there is no verb '" + first + "'";
        }
        return option
                ? verb.name() + " has no option " + first + "; a word that begins with a dash stands behind --"
                : verb.name() + " takes no '" + first + "' here; a word with spaces stands in quotes";
    }

    static <N> N number(String text, Function<String, N> reader) {
        try {
            return reader.apply(text);
        } catch (NumberFormatException none) {
            throw new TypeConversionException("'" + Words.shown(text) + "' is not a whole number, or too large");
        }
    }

    static double decimal(String text) {
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
}
