package dev.loopkeeper.step;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * Compiles the regular expressions of the error table: RE2, case-insensitive, {@code ^} and {@code $} match at line
 * ends. RE2 searches in linear time. Length, counts and size are bounded, because manifests add expressions.
 */
final class ErrorExpression {
    /** Characters of an expression. */
    static final int LONGEST = 200;

    /** Limit for the product of all counted repetitions, since each one expands the program. */
    private static final int MOST_REPEATED = 1_000;

    private static final int LARGEST_PROGRAM = 2_000;

    private static final Pattern COUNT = Pattern.compile("\\{(\\d+)(?:,(\\d*))?\\}");

    private ErrorExpression() {}

    /**
     * The compiled expression.
     *
     * @throws IllegalArgumentException that says what is wrong with it
     */
    static Pattern of(String expression) {
        if (expression.length() > LONGEST) {
            throw new IllegalArgumentException("a regular expression has at most " + LONGEST + " characters, found "
                    + expression.length() + "; use several rows");
        }
        if (repeated(expression) > MOST_REPEATED) {
            throw new IllegalArgumentException(
                    "counted repetitions multiply to more than " + MOST_REPEATED + "; use * or smaller counts");
        }
        Pattern compiled = compiled(expression);
        if (compiled.programSize() > LARGEST_PROGRAM) {
            throw new IllegalArgumentException("the regular expression is too large; use * or several rows");
        }
        if (compiled.matcher("").find()) {
            throw new IllegalArgumentException(
                    "the regular expression matches an empty text, so it would match every error; add words");
        }
        return compiled;
    }

    private static Pattern compiled(String expression) {
        try {
            return Pattern.compile(expression, Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);
        } catch (PatternSyntaxException wrong) {
            throw new IllegalArgumentException(
                    "not a regular expression of RE2: " + wrong.getDescription() + " in "
                            + Wording.quoted(wrong.getPattern())
                            + "; write \\ before a character that stands for itself",
                    wrong);
        }
    }

    private static long repeated(String expression) {
        long product = 1;
        Matcher counts = COUNT.matcher(expression);
        while (counts.find() && product <= MOST_REPEATED) {
            String most = counts.group(2) == null || counts.group(2).isEmpty() ? counts.group(1) : counts.group(2);
            product *= most.length() > 4 ? MOST_REPEATED + 1 : Math.max(1, Integer.parseInt(most));
        }
        return product;
    }
}
