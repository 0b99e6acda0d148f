package dev.loopkeeper.cli;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.OptionDefaults;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes the errors of a command line for the person who typed it. */
final class UsageErrors {
    private UsageErrors() {}

    /** Returns one sentence that names the invalid option or the unexpected word. */
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
        CommandSpec command = wrong.getCommandLine().getCommandSpec();
        String first = Words.shown(words.get(0));
        boolean option = wrong.isUnknownOption();
        if (command.parent() == null) {
            return option ? "there is no option " + first : "there is no command '" + first + "'";
        }
        return option
                ? command.name() + " has no option " + first
                        + (OptionDefaults.areOnlyTyped(command)
                                ? ""
                                : "; put -- before an argument that begins with a dash")
                : command.name() + " does not accept the argument '" + first
                        + "'; put an argument with spaces in quotes";
    }
}
