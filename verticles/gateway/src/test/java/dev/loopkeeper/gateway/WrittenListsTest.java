package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.Readiness;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.verdict.SignalStatus;
import dev.loopkeeper.verdict.SignalVerdict;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lists that people write, in the dashboard and in the documentation, have the words of the types. Those of openapi.json and
 * of the manifest's schema are in OpenApiSchemasTest and ManifestSchemaTest, those of what-now.md in DocumentsTest.
 */
class WrittenListsTest {
    private static final Path PAGE = Path.of("src/main/resources/dev/loopkeeper/gateway/dashboard");
    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Pattern KEY = Pattern.compile("(?:^|[{,\\n])\\s*(?:'([^']+)'|(\\w+)):");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    /** What a signal says of the launch that it belongs to. */
    private static final Set<String> IDENTITY = Set.of("nonce", "attempt", "iteration");
    /** Parts of the record that are not read from a field. */
    private static final Set<String> DERIVED = Set.of("raw");

    private static String read(Path file) throws IOException {
        return Files.readString(file);
    }

    private static Set<String> all(Pattern pattern, String text) {
        Set<String> words = new TreeSet<>();
        pattern.matcher(text).results().map(WrittenListsTest::word).forEach(words::add);
        return words;
    }

    private static String word(MatchResult match) {
        return match.group(1) == null ? match.group(2) : match.group(1);
    }

    /** The keys of an object of the page, at its first level. */
    private static Set<String> keys(String file, String object) throws IOException {
        String text = read(PAGE.resolve(file));
        int start = text.indexOf("const " + object + " = {");
        assertThat(start).as(object + " in " + file).isNotNegative();
        String body = text.substring(text.indexOf('{', start) + 1, text.indexOf("};", start));
        boolean perLine = body.startsWith("\n") && body.contains(" => ");
        Pattern keys = perLine ? Pattern.compile("(?m)^  (?:'([^']+)'|(\\w+)):") : KEY;
        return all(keys, perLine ? body : "\n" + body.replaceAll("\\[[^]]*]", ""));
    }

    @Test
    void thePageHasASentenceForEachEvent() throws IOException {
        assertThat(keys("events.js", "SENTENCES"))
                .as("SENTENCES in dashboard/events.js: one entry for each event")
                .containsExactlyInAnyOrderElementsOf(EventTypes.all());
    }

    @Test
    void thePageHasASignForEachStatusAndVerdict() throws IOException {
        assertThat(keys("format.js", "STATUSES"))
                .as("STATUSES in dashboard/format.js: one entry for each status of a run")
                .containsExactlyInAnyOrderElementsOf(WireName.all(RunStatus.class));
        Set<String> verdicts = new TreeSet<>(WireName.all(Verdict.class));
        verdicts.addAll(WireName.all(SignalVerdict.class));
        assertThat(keys("format.js", "VERDICTS"))
                .as("VERDICTS in dashboard/format.js: one entry for each verdict")
                .isEqualTo(verdicts);
    }

    /** What the page treats the same way needs no entry; a word that no type has is an error. */
    static Stream<Arguments> mentions() {
        return Stream.of(
                Arguments.of("type === '(\\w+\\.[\\w.]+)'()", new TreeSet<>(EventTypes.all())),
                Arguments.of("(?:reason|paused) === '([^']+)'()", new TreeSet<>(WireName.all(PauseReason.class))),
                Arguments.of("\\baction: '([^']+)'()", new TreeSet<>(WireName.all(ResumeAction.class))));
    }

    @ParameterizedTest
    @MethodSource("mentions")
    void thePageMentionsNothingThatThereIsNot(String mention, Set<String> known) throws IOException {
        Set<String> words = new TreeSet<>();
        try (Stream<Path> sources = Files.list(PAGE)) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".js")).toList()) {
                words.addAll(all(Pattern.compile(mention), read(source)));
            }
        }
        assertThat(words).as(mention).isNotEmpty().isSubsetOf(known);
    }

    @Test
    void thePageTreatsOnlyEventsAndPausesThatThereAre() throws IOException {
        assertThat(keys("fold.js", "FOLDS")).isNotEmpty().isSubsetOf(EventTypes.all());
        assertThat(keys("format.js", "PAUSES")).isNotEmpty().isSubsetOf(WireName.all(PauseReason.class));
    }

    @Test
    void thePageUsesTheServersWordsForReasons() throws IOException {
        String labels = read(PAGE.resolve("labels.js"));
        String reasons = labels.substring(labels.indexOf("const REASONS"));
        Map<String, String> words = new TreeMap<>();
        Pattern.compile("(?:'([\\w-]+)'|(\\w+)): '([^']+)'")
                .matcher(reasons.substring(0, reasons.indexOf("};")))
                .results()
                .forEach(row -> words.put(row.group(1) == null ? row.group(2) : row.group(1), row.group(3)));
        Map<String, String> known = new TreeMap<>();
        for (PauseReason reason : PauseReason.values()) {
            known.put(reason.wire(), reason.words());
        }
        for (StandardReason reason : StandardReason.values()) {
            reason.reasonCode().ifPresent(code -> known.put(code, reason.words()));
        }
        assertThat(words).as("REASONS in dashboard/labels.js").isEqualTo(known);
    }

    private static List<List<String>> rows(String document, String heading) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : read(DOCS.resolve(document)).lines().toList()) {
            inside = line.startsWith(heading) || (inside && line.startsWith("|"));
            if (inside && !line.startsWith(heading) && !line.startsWith("|---")) {
                rows.add(List.of(line.substring(1).split("\\|")));
            }
        }
        assertThat(rows).as(heading + " in " + document).isNotEmpty();
        return rows;
    }

    @Test
    void theTableOfErrorsHasEachCodeWithItsStatusAndWords() throws IOException {
        List<String> written = rows("http.md", "| code ").stream()
                .map(row -> row.stream().map(String::strip).collect(Collectors.joining(" ")))
                .toList();
        assertThat(written)
                .containsExactlyElementsOf(Stream.of(RefusalCode.values())
                        .map(code -> "`" + code.wire() + "` " + code.status() + " " + code.words())
                        .toList());
    }

    private static Set<String> quoted(String text) {
        return all(Pattern.compile(QUOTED.pattern() + "()"), text);
    }

    @Test
    void theTableOfFieldsHasEachFieldOfASignal() throws IOException {
        Set<String> fields = new TreeSet<>(IDENTITY);
        Stream.of(Signal.class.getRecordComponents())
                .map(RecordComponent::getName)
                .filter(name -> !DERIVED.contains(name))
                .forEach(fields::add);
        Set<String> written = new TreeSet<>();
        for (List<String> row : rows("signal-files.md", "| field | values |")) {
            written.addAll(quoted(row.get(0)));
            if (row.get(2).contains("`gaps`")) {
                written.add("gaps");
            }
        }
        assertThat(written)
                .as("the table of fields in docs/signal-files.md: a row for each field of Signal")
                .isEqualTo(fields);
    }

    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of("`status`", WireName.all(SignalStatus.class)),
                Arguments.of("`determination`", WireName.all(Determination.class)),
                Arguments.of("`verdict`", WireName.all(SignalVerdict.class)),
                Arguments.of("`readiness`", WireName.all(Readiness.class)));
    }

    @ParameterizedTest
    @MethodSource("values")
    void theTableOfFieldsHasTheValuesOfTheTypes(String field, List<String> words) throws IOException {
        assertThat(rows("signal-files.md", "| field | values |"))
                .filteredOn(row -> row.get(0).strip().equals(field))
                .singleElement()
                .extracting(row -> List.of(row.get(1).strip().split(", ")))
                .as("the values of " + field + " in docs/signal-files.md")
                .isEqualTo(words);
    }

    @Test
    void theTableOfRefusedSignalsHasEachDetail() throws IOException {
        assertThat(rows("signal-files.md", "| detail |"))
                .as("the table of details in docs/signal-files.md")
                .extracting(row -> row.get(0).strip().replace("`", ""))
                .containsExactlyElementsOf(WireName.all(SignalDetail.class));
    }

    @Test
    void decidingNamesEachPauseReasonAndOnlyEndingsThatThereAre() throws IOException {
        String text = read(DOCS.resolve("deciding.md"));
        assertThat(quoted(text))
                .as("docs/deciding.md says for each pause reason when a run pauses for it")
                .containsAll(WireName.all(PauseReason.class));
        Set<String> known = new TreeSet<>(WireName.all(PauseReason.class));
        Stream.of(StandardReason.values())
                .flatMap(reason -> reason.reasonCode().stream())
                .forEach(known::add);
        Set<String> decided = new TreeSet<>();
        for (List<String> row : rows("deciding.md", "| rule | holds when |")) {
            decided.addAll(all(Pattern.compile("(?:pauses?|ends?) `([^`]+)`()"), row.get(2)));
        }
        assertThat(decided)
                .as("what follows in the table of rules of docs/deciding.md")
                .isNotEmpty()
                .isSubsetOf(known);
    }
}
