package dev.loopkeeper.step;

import dev.loopkeeper.manifest.ErrorRuleSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The ordered table that says what an error is: the first line that fits decides. It is data, {@code error-rules.txt}
 * beside this class; a manifest's own lines come before it.
 */
public final class ErrorRules {
    private static final String TABLE = "error-rules.txt";
    private static final Pattern COLUMNS = Pattern.compile("\\s{2,}");
    /** A field of JSON or of a printed Python object that names an error. */
    private static final Pattern NAMED = Pattern.compile(
            "\\b(?:code|type|status|reason|name|errorType|error_type|__type|error|kind)[\"']?\\s{0,2}[:=]\\s{0,2}"
                    + "(?:[\"']([A-Za-z][A-Za-z0-9_.-]{2,60}+)[\"']|([A-Z][A-Z_]{4,60}+)\\b)");

    private static final int MOST_CODES = 40;
    /** What comes behind is taken for one line. */
    private static final int MOST_LINES = 300;

    private static final ErrorRules BUILT_IN = new ErrorRules(table());

    private final List<ErrorRule> ordinary;
    private final List<ErrorRule> errors;

    private ErrorRules(List<ErrorRule> rules) {
        ordinary = rules.stream().filter(rule -> rule.kind().isEmpty()).toList();
        errors = rules.stream().filter(rule -> rule.kind().isPresent()).toList();
    }

    /** The table that comes with Loopkeeper. */
    public static ErrorRules builtIn() {
        return BUILT_IN;
    }

    /** These lines before the built-in ones; what the manifest's reader let pass. */
    public static ErrorRules with(List<ErrorRuleSpec> own) {
        if (own.isEmpty()) {
            return BUILT_IN;
        }
        Stream<ErrorRule> first =
                own.stream().map(rule -> ErrorRule.of(rule.kind(), rule.scope(), rule.pattern(), rule.source()));
        Stream<ErrorRule> rest = Stream.concat(BUILT_IN.ordinary.stream(), BUILT_IN.errors.stream());
        return new ErrorRules(Stream.concat(first, rest).toList());
    }

    /** What this is by the first rule that fits; empty when none does. */
    Optional<ErrorKind> kindOf(StructuredError error, String plain) {
        String told = withoutOrdinary(plain);
        OptionalInt status = error.httpStatus().isPresent() ? error.httpStatus() : HttpStatusText.find(told);
        var facts = new ErrorRule.Facts(status, codes(error, told), TextWords.of(told));
        return errors.stream()
                .filter(rule -> rule.sign().isIn(facts))
                .findFirst()
                .flatMap(ErrorRule::kind);
    }

    /** The lines that may tell an error. */
    private String withoutOrdinary(String plain) {
        List<String> lines = new ArrayList<>();
        for (String line : plain.split("\n", MOST_LINES)) {
            if (!isOrdinary(line)) {
                lines.add(line);
            }
        }
        return String.join("\n", lines);
    }

    private boolean isOrdinary(String line) {
        if (line.isBlank()) {
            return false;
        }
        var facts = new ErrorRule.Facts(OptionalInt.empty(), Set.of(), TextWords.of(line));
        for (ErrorRule rule : ordinary) {
            if (rule.sign().isIn(facts)) {
                return true;
            }
        }
        return false;
    }

    private static Set<String> codes(StructuredError error, String text) {
        Set<String> codes = new HashSet<>();
        error.code().map(ErrorRule::spelling).ifPresent(codes::add);
        Matcher matcher = NAMED.matcher(text);
        while (codes.size() < MOST_CODES && matcher.find()) {
            codes.add(ErrorRule.spelling(matcher.group(1) == null ? matcher.group(2) : matcher.group(1)));
        }
        return codes;
    }

    private static List<ErrorRule> table() {
        try (InputStream table = ErrorRules.class.getResourceAsStream(TABLE)) {
            return lines(new String(table.readAllBytes(), StandardCharsets.UTF_8))
                    .map(ErrorRules::rule)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Stream<String> lines(String table) {
        return table.lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#"));
    }

    private static ErrorRule rule(String line) {
        String[] columns = COLUMNS.split(line, -1);
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
