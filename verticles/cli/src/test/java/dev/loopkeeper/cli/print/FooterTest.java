package dev.loopkeeper.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.it.VirtualScreen;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.view.Run;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FooterTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:01:05Z");
    private static final String EOL = System.lineSeparator();

    private static final Map<String, String> TERM = Map.of("TERM", "xterm");

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    private Footer footer(int columns, boolean coloured) {
        PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
        Optional<Screen> screen = columns == 0 ? Optional.empty() : Optional.of(Screen.of(columns, 24));
        Console console = new Console(out, out, TERM, screen, coloured, "loopkeeper", Optional.empty());
        Footer footer = new Footer(
                console, Clock.fixed(NOW, ZoneOffset.UTC), "Ctrl-C stops it", "http://127.0.0.1:33521/#/runs/demo-1");
        List<Verdict> verdicts = List.of(
                Verdict.PROGRESS, Verdict.PROGRESS, Verdict.STALLED, Verdict.MILESTONE_SUCCESS, Verdict.ANOMALY);
        for (int index = 0; index < verdicts.size(); index++) {
            footer.showVerdict(index + 1, verdicts.get(index));
        }
        footer.began("build.7.dev.1", "dev", Instant.parse("2026-11-20T11:58:55Z"));
        return footer;
    }

    private String written() {
        return written.toString(StandardCharsets.UTF_8);
    }

    /** What a terminal shows of all that was written so far. */
    private VirtualScreen screen(int columns) {
        VirtualScreen screen = new VirtualScreen(columns, 24);
        // As a terminal: to the beginning of the next line.
        written().replace("\n", "\r\n").chars().forEach(letter -> screen.write((char) letter));
        return screen;
    }

    private List<String> seen(int columns) {
        return screen(columns).text().strip().lines().toList();
    }

    private static Run run(String status, String activity) throws JsonProcessingException {
        return ViewJson.run(Json.MAPPER.readTree("""
                {"status": "%s", "position": {"phase": "build", "iteration": 7, "item": null, "stepId": "build.7.dev.1",
                              "countedIterations": 7},
                 "limits": {"costUsd": 5, "maxIterations": 20},
                 "usage": {"costUsd": 3.1, "inputTokens": 400000, "outputTokens": 10000, "costKnown": true},
                 "activity": {"stepId": "build.7.dev.1", "text": "%s", "at": "2026-11-20T12:01:00Z"},
                 "executions": [{"startedAt": "2026-11-20T12:00:00Z"}]}
                """.formatted(status, activity)));
    }

    private List<String> shown(int columns) throws JsonProcessingException {
        footer(columns, false).show(run("running", "Bash make test"));
        return seen(columns);
    }

    @Test
    void offersNoStopForAStoppedRun() throws Exception {
        footer(200, false).show(run("stopping", "Bash make test"));
        assertThat(seen(200).get(0))
                .startsWith("stopping  build 7/20  ▪▪▨▣▲  dev 2m 10s")
                .doesNotContain("Ctrl-C");
    }

    @Test
    void aWideTerminalShowsAll() throws Exception {
        assertThat(shown(200))
                .containsExactly(
                        "build 7/20  ▪▪▨▣▲  dev 2m 10s  $3.10/$5.00  410k tokens  Ctrl-C stops it  http://127.0.0.1:33521/#/runs/demo-1",
                        "  dev> Bash make test");
    }

    @Test
    void eightyColumnsShowNoUrl() throws Exception {
        assertThat(shown(80))
                .containsExactly(
                        "build 7/20  ▪▪▨▣▲  dev 2m 10s  $3.10/$5.00  410k tokens  Ctrl-C stops it",
                        "  dev> Bash make test");
    }

    @Test
    void sixtyColumnsShowTheEssentials() throws Exception {
        assertThat(shown(60))
                .containsExactly(
                        "build 7/20  ▪▪▨▣▲  dev 2m 10s  $3.10/$5.00  Ctrl-C stops it", "  dev> Bash make test");
    }

    @Test
    void noLineFillsTheTerminalNorActsOnIt() throws Exception {
        for (int columns = 2; columns < 100; columns++) {
            written.reset();
            footer(columns, false).show(run("stopping", "\\u001b[2J" + "界✅".repeat(200)));
            int most = columns - 1;
            assertThat(seen(columns)).hasSize(2).allMatch(line -> Columns.of(line) <= most);
            assertThat(screen(columns).overflowed()).isFalse();
            assertThat(written()).doesNotContain("2J");
        }
    }

    @Test
    void linesThatStayStandAboveIt() throws Exception {
        try (Footer footer = footer(80, false)) {
            footer.print("first");
            footer.show(run("running", "one"));
            footer.show(run("running", "two"));
            footer.print("second");
            assertThat(seen(80)).hasSize(6).startsWith("first", "second", "").endsWith("  dev> one", "  dev> two");
            assertThat(seen(80).get(3)).startsWith("build 7/20");
        }
        assertThat(seen(80)).containsExactly("first", "second");
    }

    @Test
    void whatDidNotChangeIsNotPaintedAgain() throws Exception {
        Footer footer = footer(80, false);
        footer.show(run("running", "one"));
        written.reset();
        footer.show(run("running", "one"));
        assertThat(written()).isEmpty();
    }

    /** The terminal shows typed keys, and another process may print a line on the same terminal. */
    @ParameterizedTest
    @CsvSource({
        "^C, ''",
        "'\n', ''",
        "no, ''",
        "'y\n', y",
        "'08:15  run demo-2 is queued\n', 08:15  run demo-2 is queued"
    })
    void foreignTextLeavesNoOldLineBehind(String text, String kept) throws Exception {
        for (String activity : List.of("one", "x".repeat(100))) {
            written.reset();
            try (Footer footer = footer(80, false)) {
                footer.print("first");
                footer.show(run("running", activity));
                foreign(text);
                footer.show(run("running", "two"));
                assertThat(screen(80).text().split("Ctrl-C stops it", -1)).hasSize(2);
                footer.print("second");
            }
            String all = screen(80).text();
            assertThat(all).startsWith("first\n" + (text.endsWith("\n") ? kept + "\nsecond\n" : "second\n"));
            assertThat(all.strip()).endsWith("second");
        }
    }

    /** A terminal that becomes narrower wraps the lines, and its cursor stays on its text. */
    @Test
    void nothingAboveTheCursorNeedsToBeCleared() throws Exception {
        Footer footer = footer(80, false);
        footer.show(run("running", "one"));
        String painted = written();
        assertThat(painted).startsWith("\n").endsWith("\r\u001b[2A");
        written.reset();
        footer.close();
        assertThat(written()).isEqualTo("\r\u001b[J");
    }

    private void foreign(String text) {
        written.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void verdictsAndStatusAreColoured() throws Exception {
        footer(80, true).show(run("stopping", "one"));
        assertThat(written()).contains("\u001b[33mstopping\u001b[0m", "\u001b[32m▣\u001b[0m\u001b[33m▲\u001b[0m");
    }

    @Test
    void anIterationThatWasTriedAgainHasOneVerdictAndOldOnesGo() throws Exception {
        Footer footer = footer(120, false);
        footer.showVerdict(5, Verdict.SUCCESS);
        footer.showVerdict(5, Verdict.SUCCESS);
        footer.show(run("running", "one"));
        assertThat(written()).contains("  ▪▪▨▣■  ");
        written.reset();
        for (int iteration = 6; iteration < 100; iteration++) {
            footer.showVerdict(iteration, Verdict.STALLED);
        }
        footer.show(run("running", "two"));
        assertThat(written()).contains("  " + "▨".repeat(Footer.VERDICTS) + "  ");
    }

    @Test
    void elsewhereThereIsNone() throws Exception {
        try (Footer footer = footer(0, false)) {
            footer.show(run("running", "one"));
            footer.print("first");
        }
        assertThat(written()).isEqualTo("first" + EOL);
    }

    @Test
    void aMessageStandsAboveTheLinesAndStays() throws JsonProcessingException {
        PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
        Console console =
                new Console(out, out, TERM, Optional.of(Screen.of(80, 24)), false, "loopkeeper", Optional.empty());
        Footer footer = new Footer(console, Clock.fixed(NOW, ZoneOffset.UTC), "Ctrl-C stops it", "http://x");
        footer.show(run("running", "make test"));
        List<String> lines = seen(80);

        console.warn("stopping demo-1; again to kill at once");

        assertThat(seen(80))
                .startsWith("loopkeeper: stopping demo-1; again to kill at once")
                .endsWith(lines.toArray(String[]::new));
        footer.close();
        console.warn("gone");
        assertThat(seen(80)).containsExactly("loopkeeper: stopping demo-1; again to kill at once", "loopkeeper: gone");
    }

    /** JLine knows a green tick as one column. */
    @Test
    void aLineIsPaintedFromItsBeginningWhateverItsSignsAre() throws JsonProcessingException {
        Footer footer = footer(80, false);
        footer.show(run("running", "✅✅ first"));
        footer.show(run("running", "✅✅ second"));
        footer.show(run("running", "done ✅ third"));

        assertThat(seen(80)).hasSize(3).endsWith("  dev> ✅✅ second", "  dev> done ✅ third");
    }
}
