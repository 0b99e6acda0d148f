package dev.loopkeeper.agent;

import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.step.StructuredError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Splits the last lines of a stream into reports, newest first. A report begins with a line that is not indented and
 * closes no bracket. An error keeps its stack trace and the line that says when to try again; an answer keeps its
 * headers and body. An earlier, overcome error stays separate.
 */
final class LastWords {
    /** Number of last lines of a stream that are read. */
    static final int LINES = 20;

    /** Longest part for people; the end of a text is more useful than its beginning. */
    private static final int LONGEST = 2_000;

    /** Longest line that names a failure, and longest end after it; the exit code needs the rest. */
    private static final int LONGEST_LINE = 350;

    private static final int LONGEST_END = 1_600;

    private static final Pattern WHEN =
            Pattern.compile("(?i)(?:please )?(?:retry|retrying|try again|resets)[ _-](?:in|after|at|\\d).*");

    private static final Pattern HEADER = Pattern.compile("[A-Za-z][A-Za-z0-9-]*: .*");

    private LastWords() {}

    /** The last lines of standard error, or of standard output if that is empty. */
    static String of(Tail stderr, Tail stdout) {
        String words = stderr.lastLines(LINES);
        return words.isBlank() ? stdout.lastLines(LINES) : words;
    }

    /**
     * The first line of both streams that names a failure, then the last words. Programs such as make repeat on standard
     * error only that a command failed, which has printed the reason to standard output.
     */
    static String failure(Tail stderr, Tail stdout) {
        String first = OneLine.failure(Stream.of(stdout, stderr)
                        .flatMap(stream -> stream.text().lines()))
                .map(line -> OneLine.of(line, LONGEST_LINE))
                .orElse("");
        String words = end(of(stderr, stdout), LONGEST_END);
        return words.contains(first) ? words : first + "\n" + words;
    }

    /** Each report, then all of them together, since a terminal may have wrapped a sentence. */
    static List<StructuredError> evidence(String text) {
        List<String> evidence = new ArrayList<>(reports(text));
        if (evidence.size() > 1) {
            evidence.add(text);
        }
        return evidence.stream().map(LastWords::end).map(StructuredError::text).toList();
    }

    /** The end of the text, from the beginning of a line if possible. */
    static String end(String text) {
        return end(text, LONGEST);
    }

    private static String end(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        String end = text.substring(text.length() - longest);
        int line = end.indexOf('\n');
        return line < 0 || line == end.length() - 1 ? end : end.substring(line + 1);
    }

    private static List<String> reports(String text) {
        Deque<String> reports = new ArrayDeque<>();
        StringBuilder report = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            if (begins(line) && !continues(report, line)) {
                push(report, reports);
            }
            report.append(line).append('\n');
        }
        push(report, reports);
        return List.copyOf(reports);
    }

    private static void push(StringBuilder report, Deque<String> reports) {
        String text = report.toString().strip();
        if (!text.isEmpty()) {
            reports.push(text);
        }
        report.setLength(0);
    }

    private static boolean continues(StringBuilder report, String line) {
        boolean answer = report.indexOf("HTTP/") == 0;
        return WHEN.matcher(line).matches()
                || (answer && (line.startsWith("{") || HEADER.matcher(line).matches()));
    }

    private static boolean begins(String line) {
        return !line.isEmpty() && !Character.isWhitespace(line.charAt(0)) && ")]}".indexOf(line.charAt(0)) < 0;
    }
}
