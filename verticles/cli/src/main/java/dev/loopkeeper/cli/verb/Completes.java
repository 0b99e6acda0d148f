package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.Words;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.ArgSpec;

/** What a shell offers for the value of an option or a parameter. */
enum Completes {
    NOTHING,
    FILES,
    FOLDERS;

    private static final Pattern SENTENCE_END = Pattern.compile("\\.( (?=[A-Z])|$)");

    static Completes of(ArgSpec argument) {
        return switch (argument.paramLabel()) {
            case "FILE", "MANIFEST" -> FILES;
            case "DIR" -> FOLDERS;
            default -> NOTHING;
        };
    }

    /** The first sentence about it, on one line. */
    static String about(String... description) {
        return SENTENCE_END.split(Words.oneLine(String.join(" ", description)), 2)[0];
    }
}
