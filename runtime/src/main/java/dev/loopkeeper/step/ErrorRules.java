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
    private static final String FILE = "error-rules.txt";
    private static final Pattern COLUMNS = Pattern.compile("\\s{2,}");
    /** A field of JSON or of a printed Python object that names an error. */
    private static final Pattern NAMED = Pattern.compile(
            "\\b(?:code|type|status|reason|name|errorType|error_type|__type|error|kind)[\"']?\\s{0,2}[:=]\\s{0,2}"
                    + "(?:[\"']([A-Za-z][A-Za-z0-9_.-]{2,60}+)[\"']|([A-Z][A-Z_]{4,60}+)\\b)");

    /** A code that stands by itself: a name of several words one of which tells of a fault. */
    private static final Pattern STANDING = Pattern.compile(
            "(?<![\\w./-])(?=[A-Za-z]{1,20}_)\\w{0,60}?(?:too_|not_|exceed|invalid|expired|revoked|deleted|deactivated|insufficient"
                    + "|reached|exhausted|error|failed|denied|disabled|unavailable|overloaded|missing)\\w{0,40}+(?![\\w./(-])",
            Pattern.CASE_INSENSITIVE);

    private static final int MOST_CODES = 40;
    /** What comes behind is taken for one line. */
    private static final int MOST_LINES = 300;

    private static final ErrorRules BUILT_IN = new ErrorRules(List.of());

    private final List<ErrorRule> own;

    /** Null until the first error: most steps end well, and a server just started reads the table for a long time. */
    private volatile Table made;

    private ErrorRules(List<ErrorRule> own) {
        this.own = own;
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
        return new ErrorRules(own.stream()
                .map(rule -> ErrorRule.of(rule.kind(), rule.scope(), rule.pattern(), rule.source()))
                .toList());
    }

    private Table table() {
        Table table = made;
        if (table == null) {
            table = Table.of(
                    Stream.concat(own.stream(), Table.BUILT_IN.stream()).toList());
            made = table;
        }
        return table;
    }

    /** What this is by the first rule that fits; empty when none does. */
    Optional<ErrorKind> kindOf(StructuredError error, String plain) {
        Table table = table();
        String told = withoutOrdinary(table.ordinary(), plain);
        OptionalInt status = error.httpStatus().isPresent() ? error.httpStatus() : HttpStatusText.find(told);
        var facts = new ErrorRule.Facts(status, codes(error, told), TextWords.of(told));
        return table.errors().stream()
                .filter(rule -> rule.sign().isIn(facts))
                .findFirst()
                .flatMap(ErrorRule::kind);
    }

    /** The lines that may tell an error. */
    private static String withoutOrdinary(List<ErrorRule> ordinary, String plain) {
        List<String> lines = new ArrayList<>();
        for (String line : plain.split("\n", MOST_LINES)) {
            if (!isOrdinary(ordinary, line)) {
                lines.add(line);
            }
        }
        return String.join("\n", lines);
    }

    private static boolean isOrdinary(List<ErrorRule> ordinary, String line) {
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
        Matcher standing = STANDING.matcher(text);
        while (codes.size() < MOST_CODES && standing.find()) {
            codes.add(ErrorRule.spelling(standing.group()));
        }
        return codes;
    }

    /** Lines of ordinary output, which are left out first, and those that tell an error. */
    private record Table(List<ErrorRule> ordinary, List<ErrorRule> errors) {
        private static final List<ErrorRule> BUILT_IN = read();

        static Table of(List<ErrorRule> rules) {
            return new Table(
                    rules.stream().filter(rule -> rule.kind().isEmpty()).toList(),
                    rules.stream().filter(rule -> rule.kind().isPresent()).toList());
        }

        private static List<ErrorRule> read() {
            try (InputStream file = ErrorRules.class.getResourceAsStream(FILE)) {
                return lines(new String(file.readAllBytes(), StandardCharsets.UTF_8))
                        .map(Table::rule)
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
}
