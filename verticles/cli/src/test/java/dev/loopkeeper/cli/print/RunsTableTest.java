package dev.loopkeeper.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Runs;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunsTableTest {
    private static final Times TIMES = new Times(Instant.parse("2026-11-20T16:00:00Z"), ZoneOffset.UTC);
    private static final String LONG = "fix-flaky-tests-20261120-151233-";
    private static final List<String> RUNS = List.of("""
            {"runId": "%sx7k2", "status": "completed", "createdAt": "2026-11-18T10:00:00Z",
             "startedAt": "2026-11-18T10:00:00Z", "endedAt": "2026-11-18T10:10:00Z",
             "position": {"phase": null}, "usage": {"costUsd": 9.25, "costKnown": true},
             "statistics": {"itemsTotal": 12, "itemsApproved": 12},
             "termination": {"subtype": "stop", "category": "success", "success": true, "summary": "done"}}
            """.formatted(LONG), """
            {"runId": "%sy8m3", "status": "running", "createdAt": "2026-11-20T15:00:00Z",
             "startedAt": "2026-11-20T15:01:00Z", "activeMs": 42000,
             "position": {"phase": "build", "iteration": 3, "stepId": "build.3.dev.1", "countedIterations": 3},
             "usage": {"costUsd": 1.1, "costKnown": true}, "limits": {"costUsd": 10, "maxIterations": 20},
             "last": {"stepId": "build.2.judge.1", "verdict": "PROGRESS", "at": "2026-11-20T15:50:00Z"}}
            """.formatted(LONG), """
            {"runId": "asking", "status": "paused", "createdAt": "2026-11-20T15:00:00Z", "startedAt": "2026-11-20T15:00:00Z",
             "position": {"phase": "build", "iteration": 1, "stepId": "build.1.dev.1", "countedIterations": 1}, "limits": {"maxIterations": 20},
             "usage": {"costUsd": 0.37, "costKnown": false},
             "pause": {"reason": "user_input_needed", "message": "two questions", "questions": ["Which database: PostgreSQL or SQLite?", "Why?"],
                       "gaps": [], "allowedActions": ["continue"], "since": "2026-11-20T15:48:00Z"}}
            """, """
            {"runId": "anomaly", "status": "paused", "createdAt": "2026-11-20T15:00:00Z", "startedAt": "2026-11-20T15:00:00Z",
             "position": {"phase": "build", "iteration": 7, "countedIterations": 7}, "usage": null,
             "pause": {"reason": "anomaly", "message": "m", "keyConcern": "テストが削除された in test_auth.py", "questions": [],
                       "gaps": [], "allowedActions": ["continue"], "since": "2026-11-20T11:48:00Z"}}
            """);

    private static Console console(int columns, boolean coloured) {
        PrintStream out = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        Optional<Screen> screen = columns == 0 ? Optional.empty() : Optional.of(Screen.of(columns, 24));
        return new Console(out, out, Map.of(), screen, coloured, "loopkeeper", Optional.empty());
    }

    private static List<String> lines(int columns, boolean coloured) throws JsonProcessingException {
        List<RunsTable.Row> rows = new ArrayList<>();
        for (String run : RUNS) {
            Runs.Entry entry = ViewJson.read(Json.MAPPER.readTree(run), Runs.Entry.class);
            rows.add(new RunsTable.Row(entry, Optional.empty()));
        }
        return new RunsTable(console(columns, coloured), TIMES).lines(RunsTable.ordered(rows));
    }

    @Test
    void aTimeOfTheServerIsShownInTheLocalZone() {
        Times times = new Times(Instant.parse("2026-11-20T16:00:00Z"), ZoneOffset.ofHours(2));
        assertThat(times.local("waiting until 2026-11-20T15:12:33.120Z: busy"))
                .isEqualTo("waiting until 17:12:33: busy");
    }

    @Test
    void elsewhereThanOnATerminalLinesAreComplete() throws Exception {
        assertThat(lines(0, false)).containsExactly("""
            RUN                                   STATUS     AT          LAST      COST          AGE  WHY
            anomaly                               paused     build 7     -         -             4h   anomaly: テストが削除された in test_auth.py
            asking                                paused     build 1/20  -         $0.37+        12m  2 questions: Which database: PostgreSQL or SQLite? / Why?
            fix-flaky-tests-20261120-151233-y8m3  running    build 3/20  PROGRESS  $1.10/$10.00  42s  build.3.dev.1
            fix-flaky-tests-20261120-151233-x7k2  completed  -           -         $9.25         2d
            """.stripIndent().split("\n"));
    }

    @Test
    void onAWideTerminalAllIsThereAndWhatWaitsLongestIsFirst() throws Exception {
        assertThat(lines(200, false)).containsExactly("""
            RUN                                   STATUS       AT          LAST      COST          AGE  WHY
            anomaly                               ? paused     build 7     -         -             4h   anomaly: テストが削除された in test_auth.py
            asking                                ? paused     build 1/20  -         $0.37+        12m  2 questions: Which database: PostgreSQL or SQLite? / Why?
            fix-flaky-tests-20261120-151233-y8m3  > running    build 3/20  PROGRESS  $1.10/$10.00  42s  build.3.dev.1
            fix-flaky-tests-20261120-151233-x7k2  + completed  -           -         $9.25         2d
            """.stripIndent().split("\n"));
    }

    @Test
    void onEightyColumnsIdsAreBeginningsThatNameTheirRuns() throws Exception {
        assertThat(lines(80, false)).containsExactly("""
            RUN                                 STATUS       AGE  WHY
            anomaly                             ? paused     4h   anomaly: テストが削除され…
            asking                              ? paused     12m  2 questions: Which databa…
            fix-flaky-tests-20261120-151233-y…  > running    42s  build.3.dev.1
            fix-flaky-tests-20261120-151233-x…  + completed  2d
            """.stripIndent().split("\n"));
    }

    @Test
    void onSixtyColumnsTheReasonStays() throws Exception {
        assertThat(lines(60, false)).containsExactly("""
            RUN                                 STATUS       WHY
            anomaly                             ? paused     anomaly: …
            asking                              ? paused     2 question…
            fix-flaky-tests-20261120-151233-y…  > running    build.3.de…
            fix-flaky-tests-20261120-151233-x…  + completed
            """.stripIndent().split("\n"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 20, 30, 40, 60, 80, 100, 120, 200})
    void noLineIsWiderThanTheTerminal(int columns) throws Exception {
        assertThat(lines(columns, false)).allMatch(line -> Columns.of(line) <= Math.max(columns, 24));
    }

    @Test
    void coloursChangeNothingButTheColours() throws Exception {
        List<String> coloured = lines(80, true);
        assertThat(String.join("\n", coloured)).contains("\u001b[33m");
        assertThat(coloured.stream()
                        .map(line -> line.replaceAll("\u001b\\[\\d*m", "").stripTrailing()))
                .isEqualTo(lines(80, false));
    }

    @Test
    void thereIsAColumnOfNodesWhereARunHasOne() throws Exception {
        Runs.Entry own = ViewJson.read(
                Json.MAPPER.readTree(RUNS.get(1)
                        .strip()
                        .replaceFirst(
                                "\\{",
                                "{\"owner\": {\"node\": \"n2\","
                                        + " \"epoch\": 3, \"since\": \"2026-11-20T15:00:00Z\"},")),
                Runs.Entry.class);
        Runs.Entry free = ViewJson.read(Json.MAPPER.readTree(RUNS.get(2)), Runs.Entry.class);
        List<String> lines = new RunsTable(console(0, false), TIMES)
                .lines(List.of(new RunsTable.Row(own, Optional.empty()), new RunsTable.Row(free, Optional.empty())));

        assertThat(lines.get(0)).contains("STATUS   NODE  AT");
        assertThat(lines.get(1)).contains("running  n2    build 3/20");
        assertThat(lines.get(2)).contains("paused   -     build 1/20");
    }
}
