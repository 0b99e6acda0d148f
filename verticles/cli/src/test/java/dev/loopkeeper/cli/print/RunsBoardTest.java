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
import org.junit.jupiter.params.provider.CsvSource;

class RunsBoardTest {
    private static final Times TIMES = new Times(Instant.parse("2026-11-20T16:00:00Z"), ZoneOffset.UTC);

    private static RunsBoard board(int columns, String... runs) throws JsonProcessingException {
        PrintStream out = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        Console console = new Console(
                out, out, Map.of(), Optional.of(Screen.of(columns, 24)), false, "loopkeeper", Optional.empty());
        RunsBoard board = new RunsBoard(console, "http://127.0.0.1:7420");
        List<RunsTable.Row> rows = new ArrayList<>();
        for (String run : runs) {
            String[] parts = run.split(" ", 3);
            String pause = parts[1].equals("paused")
                    ? ", \"pause\": {\"reason\": \"anomaly\", \"message\": \"m\", \"since\": \"2026-11-20T15:48:00Z\","
                            + " \"questions\": [], \"gaps\": [], \"allowedActions\": [\"continue\"]}"
                    : "";
            String ending = parts.length < 3
                    ? ""
                    : ", \"termination\": {\"subtype\": \"" + parts[2] + "\", \"summary\": \"s\"}";
            Runs.Entry entry = ViewJson.read(
                    Json.MAPPER.readTree("{\"runId\": \"" + parts[0] + "\", \"status\": \"" + parts[1]
                            + "\", \"createdAt\": \"2026-11-20T15:00:00Z\", \"activeMs\": 3600000" + pause + ending
                            + "}"),
                    Runs.Entry.class);
            rows.add(new RunsTable.Row(entry, Optional.empty()));
        }
        board.runs(rows);
        return board;
    }

    private static List<String> lines(RunsBoard board, int columns, int rows) {
        return board.lines(new Screen.Size(columns, rows), TIMES);
    }

    private static String chosenLine(RunsBoard board) {
        return lines(board, 80, 24).stream()
                .filter(line -> line.startsWith("> "))
                .findFirst()
                .orElse("none");
    }

    @Test
    void whatWaitsIsFirstAndChosen() throws Exception {
        RunsBoard board = board(80, "ended completed", "going running", "asks paused");

        assertThat(board.chosen()).contains("asks");
        assertThat(lines(board, 80, 24))
                .startsWith(
                        "Loopkeeper  1 needs attention, 1 open, 1 ended  http://127.0.0.1:7420",
                        "  RUN    STATUS       AT  LAST  COST  AGE  WHY",
                        "> asks   ? paused     -   -     -     12m  anomaly: m",
                        "  going  > running    -   -     -     1h",
                        "  ended  + completed  -   -     -     1h")
                .endsWith("up/down choose  a answer  r resume  p pause  s stop  o open  ? keys  q leave")
                .hasSize(24);
    }

    @Test
    void listsFailedRunsBetweenPausedAndOpenOnes() throws Exception {
        RunsBoard board = board(
                80,
                "asked stopped error_operator_stop",
                "going running",
                "limit stopped error_max_turns",
                "broke failed error_halted",
                "asks paused");

        assertThat(lines(board, 80, 24).get(0)).startsWith("Loopkeeper  3 need attention, 1 open, 1 ended");
        assertThat(lines(board, 80, 24).subList(2, 7).stream()
                        .map(line -> line.substring(2).split(" ")[0]))
                .containsExactly("asks", "limit", "broke", "going", "asked");
    }

    @ParameterizedTest
    @CsvSource({"DOWN, going", "LAST, ended", "PAGE_DOWN, ended", "UP, asks", "FIRST, asks", "OTHER, asks"})
    void aKeyChooses(Key key, String chosen) throws Exception {
        RunsBoard board = board(80, "ended completed", "going running", "asks paused");
        assertThat(lines(board, 80, 24)).hasSize(24);

        board.press(key);

        assertThat(board.chosen()).contains(chosen);
        assertThat(chosenLine(board)).startsWith("> " + chosen);
    }

    @Test
    void aSelectedRunStaysSelectedWhereverItMoves() throws Exception {
        RunsBoard board = board(80, "a running", "b running");
        board.press(Key.DOWN);
        assertThat(board.chosen()).contains("b");

        RunsBoard moved = board(80, "c paused", "b completed", "a running");
        moved.runs(List.of());
        assertThat(moved.chosen()).isEmpty();
        assertThat(lines(moved, 80, 24).get(1)).isEqualTo("  no runs");
        assertThat(chosenLine(board)).startsWith("> b");
    }

    @Test
    void aFilterLeavesSomeOut() throws Exception {
        RunsBoard board = board(80, "ended completed", "going running", "asks paused");
        List<String> found = new ArrayList<>();
        for (int press = 0; press < 4; press++) {
            board.press(Key.FILTER);
            found.add(board.chosen().orElseThrow());
        }
        assertThat(found).containsExactly("asks", "going", "ended", "asks");
    }

    @Test
    void thePaneShowsTheEndOfTheLogBelowWhyTheRunIsWhereItIs() throws Exception {
        RunsBoard board = board(80, "asks paused");
        List<String> log = new ArrayList<>();
        for (int line = 1; line <= 100; line++) {
            log.add("line " + line);
        }
        board.detail(new RunsBoard.Detail("asks", "build.1.dev.1", List.of("asks is paused", "  why"), log));

        List<String> lines = lines(board, 80, 12);

        assertThat(lines.get(3)).startsWith("-- asks  build.1.dev.1 ---").hasSize(79);
        assertThat(lines.subList(4, 11))
                .containsExactly("asks is paused", "  why", "line 96", "line 97", "line 98", "line 99", "line 100");
        board.press(Key.PANE);
        assertThat(board.paneIsOpen()).isFalse();
        assertThat(lines(board, 80, 12)).noneMatch(line -> line.contains("line 100"));
        board.press(Key.HELP);
        assertThat(lines(board, 80, 12)).anyMatch(line -> line.contains("show or hide these keys"));
    }

    @Test
    void aPromptTakesTheKeysUntilItIsAnswered() throws Exception {
        RunsBoard board = board(80, "asks paused", "b paused");
        List<String> answers = new ArrayList<>();
        board.ask(Prompt.line("Answer: ", answers::add));

        assertThat(type(board, "jq!\u007f port")).containsOnly(false);
        assertThat(board.chosen()).contains("asks");
        assertThat(lines(board, 80, 24).get(23)).isEqualTo("Answer: jq port_");
        assertThat(lines(board, 12, 24).get(23)).isEqualTo("r: jq port_");
        type(board, "\r");
        assertThat(answers).containsExactly("jq port");
        assertThat(lines(board, 80, 24).get(23)).startsWith("up/down choose");
        assertThat(type(board, "q")).containsExactly(true);

        board.ask(Prompt.line("Answer: ", answers::add));
        type(board, "never\u001b");
        board.ask(Prompt.confirm("Stop asks?", () -> answers.add("stopped")));
        type(board, "n");
        assertThat(answers).hasSize(1);
        board.ask(Prompt.confirm("Stop asks?", () -> answers.add("stopped")));
        assertThat(lines(board, 80, 24).get(23)).isEqualTo("Stop asks? y: yes, any other key: no");
        type(board, "y");
        assertThat(answers).containsExactly("jq port", "stopped");
        board.say("asks is being stopped");
        assertThat(lines(board, 80, 24).get(23)).isEqualTo("asks is being stopped");
    }

    private static List<Boolean> type(RunsBoard board, String keys) {
        return keys.chars().mapToObj(key -> board.press(KeyPress.of(key))).toList();
    }

    /** A command to type is never cut where the log leaves space for it. */
    @Test
    void allOfWhatIsSaidOfARunIsThere() throws Exception {
        RunsBoard board = board(60, "asks paused");
        String command = "  resume it with: loopkeeper resume asks-20261123-024806-r9dy continue --feedback ANSWERS";
        board.detail(new RunsBoard.Detail("asks", "", List.of("asks is paused", command), List.of("the end")));

        assertThat(lines(board, 60, 12).subList(4, 8))
                .containsExactly(
                        "asks is paused",
                        "  resume it with: loopkeeper resume",
                        "    asks-20261123-024806-r9dy continue --feedback ANSWERS",
                        "the end");
        assertThat(Columns.wrapped("x".repeat(25), 10))
                .containsExactly("x".repeat(10), "  " + "x".repeat(8), "  " + "x".repeat(7));
        assertThat(Columns.wrapped("界界界", 1)).containsExactly("界", "界", "界");
        assertThat(Columns.wrapped("", 10)).containsExactly("");
    }

    @Test
    void noSizeIsTooSmallOrFilled() throws Exception {
        String[] many = new String[300];
        for (int index = 0; index < many.length; index++) {
            many[index] = "run-" + index + (index % 3 == 0 ? " paused" : " running");
        }
        for (int columns : new int[] {1, 2, 10, 30, 60, 80, 200}) {
            RunsBoard board = board(columns, many);
            board.detail(new RunsBoard.Detail("run-0", "step", List.of("界".repeat(300)), List.of("x".repeat(500))));
            for (int rows = 1; rows < 40; rows++) {
                int most = Math.max(1, columns - 1);
                board.press(rows % 2 == 0 ? Key.PAGE_DOWN : Key.UP);
                List<String> lines = lines(board, columns, rows);
                assertThat(lines).hasSizeLessThanOrEqualTo(rows);
                assertThat(lines).as("%d columns, %d rows", columns, rows).allMatch(line -> Columns.of(line) <= most);
                assertThat(rows < 8 || columns < 10 || lines.stream().anyMatch(line -> line.startsWith("> ")))
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"[A, UP", "OB, DOWN", "[5~, PAGE_UP", "[6~, PAGE_DOWN", "[H, FIRST", "[4~, LAST", "[200~, OTHER"})
    void keysOfManyTerminalsAreKnown(String sequence, Key key) {
        assertThat(Key.ofSequence(sequence)).isEqualTo(key);
    }
}
