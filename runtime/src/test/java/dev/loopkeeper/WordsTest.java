package dev.loopkeeper;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps code, comments, messages and documentation in the words of the field. */
final class WordsTest {
    /** Modules whose main code is checked; add a module once it passes. */
    private static final List<String> MODULES = List.of(
            "runtime",
            "verticles/engine",
            "verticles/cli",
            "verticles/cluster",
            "verticles/gateway",
            "verticles/opentelemetry");

    private static final Path DASHBOARD =
            Path.of("../verticles/gateway/src/main/resources/dev/loopkeeper/gateway/dashboard");

    /** By regular expression of complete words, what to write instead. */
    private static final Map<String, String> REPLACEMENTS = Map.ofEntries(
            entry("told|tells?", "reports, notifies"),
            entry("hears?|heard", "receives"),
            entry("nobody|somebody|whoever|those who", "no client, a client, callers"),
            entry("troubles?|flaws?|hopeless", "failure, error, PermanentFailure"),
            entry("rooms?", "capacity, disk space; package"),
            entry("carr(?:y|ies|ied|ying) (?:\\w+ ){0,3}?out", "executes, owns"),
            entry("go(?:es|ing)? on|went on|taken up", "continues, resumes"),
            entry("by itself|by themselves", "automatically"),
            entry("anew|afresh", "again"),
            entry("meanwhile", "in the meantime, only where time matters"),
            entry("is away|stays away", "is unavailable"),
            entry("owe[sd]?|debts?", "pending"),
            entry("letGo|hurry|hasten", "release, forceStop"),
            entry("strays?|leftovers?|left over", "orphan, orphaned process"),
            entry("guests?|namesakes?|mail", "remote run, duplicate node, request"),
            entry("taken for|counts? as", "is treated as"),
            entry("asks? for|asked for", "requires, requests"),
            entry("verbs?", "command"),
            entry("would not die", "could not be killed"),
            entry("may follow", "next actions"),
            entry("alike", "produced the same result"),
            entry("cleared away", "is removed"),
            entry("look(?:s|ed)? (?:at|for)", "checks, scans"),
            entry("in one piece", "complete"));

    private static final Map<Pattern, String> PATTERNS = REPLACEMENTS.entrySet().stream()
            .collect(Collectors.toMap(
                    row -> Pattern.compile("\\b(?:" + row.getKey() + ")\\b", Pattern.CASE_INSENSITIVE),
                    Map.Entry::getValue));

    /** Uses that stay: path, word and reason. */
    private static final List<Allowed> ALLOWED = List.of(
            new Allowed("admin/ReapCommand.java", "strays", "JSON key"),
            new Allowed("docs/data-folder.md", "leftover", "name of a file"),
            new Allowed("signal/SignalFile.java", "leftover", "ending of a file's name"),
            new Allowed("signal/StepSignals.java", "leftover", "name of a file"),
            new Allowed("docs/recipes.md", "mail", "name of a program"),
            new Allowed("gateway/ProcessRoutes.java", "strays", "JSON key"),
            new Allowed("dashboard/processes-view.js", "strays", "JSON key"),
            new Allowed("contract/Reaped.java", "strays", "JSON key"),
            new Allowed("contract/SchedulerChannels.java", "hurry", "event-bus address"));

    private record Allowed(String path, String word, String reason) {
        boolean covers(Path file, String found) {
            return file.endsWith(path) && found.equalsIgnoreCase(word);
        }
    }

    @Test
    void mainCodeUsesTheWordsOfTheField() throws IOException {
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
                assertThat(files.filter(file -> file.toString().endsWith(".java")))
                        .isNotEmpty()
                        .flatMap(WordsTest::uses)
                        .as("word by word: file:line, word, replacement")
                        .isEmpty();
            }
        }
    }

    @Test
    void scriptsOfTheDashboardUseTheWordsOfTheField() throws IOException {
        try (Stream<Path> files = Files.list(DASHBOARD)) {
            assertThat(files)
                    .isNotEmpty()
                    .flatMap(WordsTest::uses)
                    .as("word by word: file:line, word, replacement")
                    .isEmpty();
        }
    }

    /** Without what stands in backticks: names of code, and output that is quoted. */
    @Test
    void documentsUseTheWordsOfTheField() throws IOException {
        for (String place : List.of("docs", ".github", "README.md", "CHANGELOG.md")) {
            try (Stream<Path> files = Files.walk(Path.of("..", place))) {
                assertThat(files.filter(file -> file.toString().endsWith(".md")))
                        .isNotEmpty()
                        .flatMap(WordsTest::uses)
                        .as("word by word: file:line, word, replacement")
                        .isEmpty();
            }
        }
    }

    private static List<String> uses(Path file) {
        List<String> lines = lines(file);
        return IntStream.range(0, lines.size())
                .boxed()
                .flatMap(index -> PATTERNS.entrySet().stream()
                        .flatMap(row -> row.getKey()
                                .matcher(lines.get(index))
                                .results()
                                .filter(use -> ALLOWED.stream().noneMatch(allowed -> allowed.covers(file, use.group())))
                                .map(use -> file.normalize() + ":" + (index + 1) + ": " + use.group() + " -> "
                                        + row.getValue())))
                .toList();
    }

    private static List<String> lines(Path file) {
        try {
            boolean document = file.toString().endsWith(".md");
            return Files.readAllLines(file).stream()
                    .map(line -> document ? line.replaceAll("`[^`]*`", "") : line)
                    .toList();
        } catch (IOException unreadable) {
            throw new IllegalStateException("cannot read " + file, unreadable);
        }
    }
}
