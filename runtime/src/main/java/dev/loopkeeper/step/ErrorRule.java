package dev.loopkeeper.step;

import com.google.re2j.Pattern;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A row of the error table.
 *
 * @param source the program that prints such an error, for people
 */
record ErrorRule(ErrorKind kind, String source, Predicate<Facts> fits) {
    /**
     * The facts that a row is compared with.
     *
     * @param codes spelled as by {@link #spelling}, or exceptions by their names
     */
    record Facts(OptionalInt status, Set<String> codes, String text) {}

    private static final Pattern STATUS = Pattern.compile("[45](\\d\\d|xx)");
    private static final Pattern CODES = Pattern.compile("[A-Za-z0-9_.| -]{3,200}");
    private static final int FEWEST_LETTERS = 3;

    /**
     * Creates a row from its columns.
     *
     * @param scope what is compared: {@code status} e.g. {@code 5xx}, {@code code} e.g. {@code a|b} in any spelling,
     * with or without a last {@code Error} or {@code Exception}, or {@code says} by an {@link ErrorExpression}; an
     * exception in a text only by its own name
     * @throws IllegalArgumentException when a column is invalid; the message says why
     */
    static ErrorRule of(String kind, String scope, String pattern, String source) {
        ErrorKind known = ErrorKind.of(kind)
                .orElseThrow(() -> new IllegalArgumentException("'" + kind + "' is not a kind of error"));
        return new ErrorRule(
                known,
                source,
                switch (scope) {
                    case "status" -> status(pattern);
                    case "code" -> code(pattern);
                    case "says" -> says(ErrorExpression.of(pattern));
                    default ->
                        throw new IllegalArgumentException("expected status, code or says, found '" + scope + "'");
                });
    }

    /** One spelling for {@code RESOURCE_EXHAUSTED}, {@code resource-exhausted} and {@code ResourceExhausted}. */
    static String spelling(String code) {
        StringBuilder letters = new StringBuilder(code.length());
        code.chars().filter(Character::isLetterOrDigit).forEach(letters::appendCodePoint);
        return letters.toString().toLowerCase(Locale.ROOT);
    }

    private static Predicate<Facts> status(String pattern) {
        if (!STATUS.matches(pattern)) {
            throw new IllegalArgumentException(
                    "expected a status such as 429 or 5xx, found " + Wording.quoted(pattern));
        }
        int hundreds = pattern.charAt(0) - '0';
        if (pattern.endsWith("xx")) {
            return facts -> facts.status().orElse(0) / 100 == hundreds;
        }
        int status = Integer.parseInt(pattern);
        return facts -> facts.status().orElse(0) == status;
    }

    private static Predicate<Facts> code(String pattern) {
        if (!CODES.matches(pattern)) {
            throw new IllegalArgumentException(
                    "expected a code of 3 to 200 letters, digits, dots, dashes and underscores," + " found "
                            + Wording.quoted(pattern));
        }
        Set<String> spellings = new HashSet<>();
        for (String code : pattern.split("\\|", -1)) {
            String spelling = spelling(code);
            if (spelling.length() < FEWEST_LETTERS) {
                throw new IllegalArgumentException(
                        "a code has at least " + FEWEST_LETTERS + " letters, found " + Wording.quoted(code));
            }
            spellings.addAll(List.of(code, spelling, spelling + "error", spelling + "exception"));
        }
        return facts -> !Collections.disjoint(facts.codes(), spellings);
    }

    private static Predicate<Facts> says(Pattern expression) {
        return facts -> expression.matcher(facts.text()).find();
    }
}
