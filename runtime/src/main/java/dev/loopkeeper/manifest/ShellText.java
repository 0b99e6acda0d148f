package dev.loopkeeper.manifest;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Analyses a shell command without running a shell. */
public final class ShellText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./+@:,-]+");
    private static final Pattern SPACE = Pattern.compile("\\s");
    private static final Pattern BLANKS = Pattern.compile("[ \\t]+");
    private static final Set<String> OWN_WORDS = Set.of(
            (". : [ alias bg break cd command continue echo eval exec exit export false fc fg getopts hash jobs kill "
                            + "let local printf pwd read readonly return set shift source test time times trap true type ulimit "
                            + "umask unalias unset wait if then else elif fi for while until do done case esac in function select")
                    .split(" "));

    private ShellText() {}

    /**
     * The first word if it certainly names a program: no quoting, variable, assignment, operator, builtin or keyword.
     */
    public static Optional<String> plainProgram(String text) {
        String word = SPACE.split(text.strip(), 2)[0];
        return Optional.of(word)
                .filter(first -> PLAIN.matcher(first).matches())
                .filter(first -> !OWN_WORDS.contains(first));
    }

    /**
     * Whether the text is one program with plain words. Then {@code exec} makes the agent itself the supervised
     * process.
     */
    static boolean isOneProgram(String text) {
        return plainProgram(text).isPresent()
                && Arrays.stream(BLANKS.split(text.strip()))
                        .allMatch(word -> PLAIN.matcher(word).matches());
    }
}
