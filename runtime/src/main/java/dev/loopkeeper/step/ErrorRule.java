package dev.loopkeeper.step;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One line of the table of errors.
 *
 * @param kind absent: what fits it is ordinary output and no error
 * @param source who says so, for people
 */
record ErrorRule(Optional<ErrorKind> kind, Scope scope, String pattern, String source, Sign sign) {
    /** Where a rule looks. */
    enum Scope {
        /** The HTTP status, e.g. {@code 429} or {@code 5xx}. */
        STATUS,
        /** A code, type or name of an error in any spelling, a field of its own, one of JSON in the message or a name by itself. */
        CODE,
        /** The words of the message, {@link WordPattern}. */
        SAYS
    }

    /** What a rule looks at. */
    record Facts(OptionalInt status, Set<String> codes, TextWords words) {}

    /** Whether a rule fits. */
    @FunctionalInterface
    interface Sign {
        boolean isIn(Facts facts);
    }

    /** The kind that says that a line is ordinary output. */
    static final String ORDINARY = "ordinary";

    private static final Pattern STATUS = Pattern.compile("[45](?:\\d\\d|xx)");
    private static final int FEWEST_LETTERS = 3;

    /** @throws IllegalArgumentException that says what is wrong with it */
    static ErrorRule of(String kind, String scope, String pattern, String source) {
        Scope where = switch (scope) {
            case "status" -> Scope.STATUS;
            case "code" -> Scope.CODE;
            case "says" -> Scope.SAYS;
            default -> throw new IllegalArgumentException("expected status, code or says, found '" + scope + "'");
        };
        boolean ordinary = kind.equals(ORDINARY);
        if (ordinary && where != Scope.SAYS) {
            throw new IllegalArgumentException("ordinary output is told by what it says only");
        }
        Optional<ErrorKind> named = ErrorKind.of(kind);
        if (!ordinary && named.isEmpty()) {
            throw new IllegalArgumentException("'" + kind + "' is no kind of error");
        }
        return new ErrorRule(named, where, pattern, source, sign(where, pattern, ordinary));
    }

    private static Sign sign(Scope scope, String pattern, boolean ofLine) {
        return switch (scope) {
            case STATUS -> status(pattern);
            case CODE -> code(pattern);
            case SAYS -> {
                WordPattern words = WordPattern.of(pattern);
                yield facts -> words.isIn(facts.words(), ofLine);
            }
        };
    }

    private static Sign status(String pattern) {
        if (!STATUS.matcher(pattern).matches()) {
            throw new IllegalArgumentException("expected a status such as 429 or 5xx, found '" + pattern + "'");
        }
        int hundreds = pattern.charAt(0) - '0';
        if (pattern.endsWith("xx")) {
            return facts -> facts.status().orElse(0) / 100 == hundreds;
        }
        int status = Integer.parseInt(pattern);
        return facts -> facts.status().orElse(0) == status;
    }

    private static Sign code(String pattern) {
        String spelling = spelling(pattern);
        if (spelling.length() < FEWEST_LETTERS) {
            throw new IllegalArgumentException(
                    "a code has at least " + FEWEST_LETTERS + " letters, found '" + pattern + "'");
        }
        return facts -> facts.codes().contains(spelling);
    }

    /** One spelling for {@code RESOURCE_EXHAUSTED}, {@code resource-exhausted} and {@code ResourceExhausted}. */
    static String spelling(String code) {
        StringBuilder letters = new StringBuilder(code.length());
        code.chars().filter(Character::isLetterOrDigit).forEach(letters::appendCodePoint);
        return letters.toString().toLowerCase(Locale.ROOT);
    }
}
