package dev.loopkeeper.step;

import dev.loopkeeper.manifest.ErrorRuleSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The ordered error table: the first matching row classifies an error. The file {@code error-rules.txt} beside this
 * class has the built-in rows; a manifest's own rows precede them.
 */
public final class ErrorRules {
    private static final String FILE = "error-rules.txt";
    private static final ErrorRules BUILT_IN = new ErrorRules(List.of());

    private final List<ErrorRuleSpec> own;

    /** Null until the first error: most steps succeed. */
    private volatile List<ErrorRule> rows;

    private ErrorRules(List<ErrorRuleSpec> own) {
        this.own = own;
    }

    /** The built-in table. */
    public static ErrorRules builtIn() {
        return BUILT_IN;
    }

    /** Places rows that the manifest's reader accepted before the built-in ones. */
    public static ErrorRules with(List<ErrorRuleSpec> own) {
        return own.isEmpty() ? BUILT_IN : new ErrorRules(own);
    }

    /** Explains why a row with this scope and pattern is invalid; empty when it is valid. */
    public static Optional<String> objection(String scope, String pattern) {
        try {
            Objects.requireNonNull(ErrorRule.of(ErrorKind.UNCLASSIFIED.wire(), scope, pattern, ""));
            return Optional.empty();
        } catch (IllegalArgumentException wrong) {
            return Optional.of(wrong.getMessage());
        }
    }

    /** The kind of the first matching row, or else the kind that the error's code names. */
    Optional<ErrorKind> kindOf(StructuredError error, String plain) {
        String searched = ErrorFacts.uncompared(plain);
        OptionalInt status = error.httpStatus().isPresent() ? error.httpStatus() : ErrorFacts.status(searched);
        ErrorRule.Facts facts = new ErrorRule.Facts(status, ErrorFacts.codes(error.code(), searched), plain);
        return rows().stream()
                .filter(row -> row.fits().test(facts))
                .map(ErrorRule::kind)
                .findFirst()
                .or(() -> error.code().flatMap(ErrorKind::of));
    }

    List<ErrorRule> rows() {
        List<ErrorRule> known = rows;
        if (known == null) {
            known = own.isEmpty() ? read() : joined();
            rows = known;
        }
        return known;
    }

    private List<ErrorRule> joined() {
        List<ErrorRule> all = new ArrayList<>();
        own.forEach(row -> all.add(ErrorRule.of(row.kind(), row.scope(), row.pattern(), row.source())));
        all.addAll(BUILT_IN.rows());
        return List.copyOf(all);
    }

    private static List<ErrorRule> read() {
        try (InputStream file = ErrorRules.class.getResourceAsStream(FILE)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .map(ErrorRules::row)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static ErrorRule row(String line) {
        String[] columns = line.split("\\s{2,}", -1);
        if (columns.length != 4) {
            throw new IllegalStateException("expected kind, scope, pattern and source, found: " + line);
        }
        try {
            return ErrorRule.of(columns[0], columns[1], columns[2], columns[3]);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalStateException(wrong.getMessage() + " in: " + line, wrong);
        }
    }
}
