package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.ServedNode;
import dev.loopkeeper.json.Json;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person sees in a terminal, and what is left of it. */
@Execution(ExecutionMode.CONCURRENT)
class TerminalIT {
    private static final Map<String, String> PLAIN = Map.of("NO_COLOR", "1");
    private static final Map<String, String> UNKNOWN = Map.of("NO_COLOR", "1", "TERM", "unknown-to-terminfo");

    private static final String ASKING = """
        agents:
          judge:
            command: >-
              echo thinking about it;
              echo '{"determination": "ANOMALY", "keyConcern": "tests are gone", "questions": ["why?"]}' > j.json
            signal: j.json
        phases: [{name: build, loop: {steps: [judge]}}]
        """;

    @TempDir
    private Path folder;

    private String data;
    private ServedNode server;
    private Api api;

    @BeforeEach
    void serve() {
        data = folder.resolve("data").toString();
        server = new ServedNode(Path.of(data));
        api = Api.of(server);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void submit(String runId, String manifest) throws Exception {
        Path workspace = Files.createDirectory(folder.resolve(runId));
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("manifest", "name: " + runId + "\n" + manifest).put("runId", runId);
        assertThat(api.post("/runs", body.put("workspace", workspace.toString()))
                        .status())
                .isEqualTo(201);
    }

    private void submitAsking() throws Exception {
        submit("asks", ASKING);
    }

    /** Three iterations that move, and a fourth that waits for a file. */
    private void submitWaiting() throws Exception {
        submit("going", """
                agents:
                  judge:
                    command: >-
                      d=PROGRESS;
                      [ "$LOOPKEEPER_ITERATION" -lt 4 ] || { d=SUCCESS; while [ ! -e go ]; do sleep 0.1; done; };
                      echo "{\\"determination\\": \\"$d\\", \\"keyConcern\\": \\"$LOOPKEEPER_ITERATION\\"}" > j.json
                    signal: j.json
                phases: [{name: build, loop: {steps: [judge]}}]
                """);
    }

    private Tty watch(int columns, int rows, Map<String, String> environment, String... more) throws IOException {
        String[] arguments = new String[more.length + 3];
        arguments[0] = "watch";
        System.arraycopy(more, 0, arguments, 1, more.length);
        arguments[more.length + 1] = "--data";
        arguments[more.length + 2] = data;
        return Tty.start(columns, rows, folder, environment, arguments);
    }

    private interface TerminalExit {
        void take(Tty tty) throws Exception;
    }

    @ParameterizedTest
    @CsvSource({"60, q, 0", "80, Ctrl-C, 130", "200, TERM, 143"})
    void allRunsAreSeenOnAFullScreenWhichIsGivenBackOnEveryWayOut(int columns, String end, int exitCode)
            throws Exception {
        isGivenBack(columns, exitCode, tty -> {
            switch (end) {
                case "TERM" -> tty.terminate();
                case "Ctrl-C" -> tty.type("\u0003");
                default -> tty.type(end);
            }
        });
    }

    @Test
    void theScreenIsGivenBackWhenTheServerIsKilled() throws Exception {
        server.close();
        try (Program killed = Program.serve(folder, Path.of(data))) {
            api = Api.of(killed);
            isGivenBack(120, 7, tty -> {
                killed.kill();
                tty.awaitText(
                        "has closed the feed",
                        "the agents of its open runs continue, and the next server adopts them",
                        "start a server with: loopkeeper serve --data " + data,
                        "then read on with: loopkeeper watch --data " + data);
            });
        }
    }

    private void isGivenBack(int columns, int exitCode, TerminalExit out) throws Exception {
        submitAsking();
        try (Tty tty = watch(columns, 24, columns == 60 ? UNKNOWN : Map.of())) {
            tty.awaitText(
                    "Loopkeeper  1 needs attention, 0 open, 0 ended",
                    "> asks",
                    "paused",
                    "resume it with:",
                    "thinking about it",
                    "up/down choose");
            assertThat(tty.screen.isAlternate()).isTrue();
            assertThat(tty.screen.isCursorHidden()).isTrue();
            assertThat(tty.isAsBefore()).isFalse();
            out.take(tty);
            assertThat(tty.join()).isEqualTo(exitCode);
            Awaitility.await().until(() -> !tty.screen.isAlternate() && !tty.screen.isCursorHidden());
            assertThat(tty.isAsBefore()).isTrue();
            // The message about a lost server is longer than a line.
            assertThat(tty.screen.overflowed() && exitCode != 7).isFalse();
            assertThat(tty.screen.wasColoured()).isEqualTo(columns != 60);
            assertThat(tty.screen.text()).doesNotContain("needs attention");
        }
    }

    @Test
    void keysChooseARunAndAResizeIsPainted() throws Exception {
        submitAsking();
        submitWaiting();
        try (Tty tty = watch(100, 30, PLAIN)) {
            tty.awaitText("1 needs attention, 1 open", "> asks", "why?");
            tty.type("j");
            tty.awaitText("> going", "-- going  build.4.judge.1");
            tty.type("\u001b[A");
            tty.awaitText("> asks", "why?");
            tty.type("f");
            tty.awaitText("only those that need attention");
            tty.type("f");
            tty.awaitText("only those that are open", "> going");
            tty.type("?");
            tty.awaitText("show or hide the run and its log");
            tty.type("?\r");
            Awaitility.await().until(() -> !tty.screen.text().contains("-- going"));
            tty.resize(60, 12);
            Awaitility.await().untilAsserted(() -> {
                assertThat(tty.screen.lines()).hasSize(12);
                assertThat(tty.screen.lines().get(11)).startsWith("up/down choose");
                assertThat(tty.screen.lines().get(0)).startsWith("Loopkeeper").hasSizeLessThan(60);
            });
            tty.type("q");
            assertThat(tty.join()).isZero();
        }
        // Its agent would search for the file for ever when that is gone with the folder.
        Files.writeString(folder.resolve("going/go"), "");
        assertThat(api.until("going", "completed").path("status").asText()).isEqualTo("completed");
    }

    @Test
    void keysActOnTheChosenRun() throws Exception {
        Path opener = Files.createDirectory(folder.resolve("bin")).resolve("xdg-open");
        Files.writeString(opener, "#!/bin/sh\nprintf %s \"$1\" > '" + folder.resolve("opened") + "'\n");
        assertThat(opener.toFile().setExecutable(true)).isTrue();
        submitAsking();
        api.until("asks", "paused");
        String path = opener.getParent() + ":" + System.getenv("PATH");
        try (Tty tty = watch(100, 30, Map.of("NO_COLOR", "1", "PATH", path))) {
            tty.awaitText("> asks", "why?");
            tty.type("o");
            tty.awaitText("opened http");
            Awaitility.await()
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(Files.readString(folder.resolve("opened")))
                            .endsWith("/#/runs/asks"));
            tty.type("a");
            tty.awaitText("Answer, enter sends: _");
            tty.type("use the quarterly list\r");
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(api.get("/runs/asks/events").toString()).contains("use the quarterly list"));
            api.until("asks", "paused");
            tty.type("s");
            tty.awaitText("Stop asks and its processes? y: yes");
            tty.type("n");
            tty.awaitText("up/down choose");
            tty.type("s");
            tty.awaitText("Stop asks and its processes? y: yes");
            tty.type("y");
            tty.awaitText("asks is being stopped", "0 need attention, 0 open, 1 ended");
            tty.type("q");
            assertThat(tty.join()).isZero();
        }
    }

    /** Keys worked on the screen of all runs only. */
    @Test
    void oneRunHasTheSameKeysAndItsScreenEndsWithIt() throws Exception {
        submitAsking();
        submitWaiting();
        api.until("asks", "paused");
        try (Tty tty = watch(100, 30, PLAIN, "asks")) {
            tty.awaitText("1 needs attention, 0 open", "> asks", "why?", "thinking about it");
            tty.type("a");
            tty.awaitText("Answer, enter sends: _");
            tty.type("use the quarterly list\r");
            tty.awaitText("asks continues");
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(api.get("/runs/asks/events").toString()).contains("use the quarterly list"));
            api.until("asks", "paused");
            tty.type("s");
            tty.awaitText("Stop asks and its processes? y: yes");
            tty.type("y");
            assertThat(tty.join()).isEqualTo(6);
            assertThat(tty.screen.isAlternate()).isFalse();
            tty.awaitText("asks is stopped");
        }
        Files.writeString(folder.resolve("going/go"), "");
        assertThat(api.until("going", "completed").path("status").asText()).isEqualTo("completed");
    }

    @Test
    void resumeRequestsTheAnswerToAnOpenQuestion() throws Exception {
        submitAsking();
        api.until("asks", "paused");
        try (Tty tty = Tty.start(80, 24, folder, PLAIN, "resume", "asks", "--data", data)) {
            tty.awaitText("question 1 of 1: why?", "answer:");
            tty.type("they were flaky\r");
            assertThat(tty.join()).isZero();
        }
    }

    @Test
    void eachLineOfALogBeginsWithItsTime() throws Exception {
        String text = "{\"type\":\"assistant\",\"timestamp\":\"2030-01-01T12:00:0%d.250Z\",\"message\":{\"content\":"
                + "[{\"type\":\"text\",\"text\":\"%s\"}]}}\n";
        Files.writeString(folder.resolve("said"), text.formatted(1, "first words") + text.formatted(2, "second words"));
        submit("talks", """
                agents: {dev: {command: cat ../said, output: claude-code}}
                phases: [{name: build, task: dev}]
                """);
        api.until("talks", "failed");
        Map<String, String> utc = Map.of("NO_COLOR", "1", "TZ", "UTC");
        try (Tty tty = Tty.start(100, 30, folder, utc, "logs", "talks", "--timestamps", "--data", data)) {
            assertThat(tty.join()).isZero();
            tty.awaitText("2030-01-01 12:00:01 first words", "2030-01-01 12:00:02 second words");
        }
    }

    /** Not even root may write there. */
    @Test
    void aWorkspaceThatTheServersUserCannotWriteIsRefusedWithARemedy() throws Exception {
        Files.writeString(folder.resolve("m.yaml"), "name: x\n" + ASKING);
        String user = System.getProperty("user.name");
        String[] submit = {"submit", "m.yaml", "--workspace", "/proc/sys", "--data", data};
        try (Tty tty = Tty.start(300, 10, folder, PLAIN, submit)) {
            assertThat(tty.join()).isEqualTo(2);
            tty.awaitText(
                    "workspace: user " + user + ", who runs the agents, may not read, write and enter /proc/sys",
                    "give that user access",
                    "or name another workspace");
        }
    }

    @Test
    void theLinesBelowARunBeginWithItsHistoryAndGoWithIt() throws Exception {
        submitWaiting();
        // The hint to the log names the data folder and is longer than 80 columns.
        try (Tty tty = watch(120, 24, PLAIN, "going", "--plain")) {
            tty.awaitText("going is running", "build 4", "▪▪▪", "Ctrl-C leaves it");
            Files.writeString(folder.resolve("going/go"), "");
            assertThat(tty.join()).isZero();
            tty.awaitText("going is completed", "4 iterations");
            assertThat(tty.screen.text()).doesNotContain("Ctrl-C leaves it");
            assertThat(tty.screen.wasAlternate() || tty.screen.wasColoured() || tty.screen.overflowed())
                    .isFalse();
        }
    }

    @Test
    void theFirstInterruptionSaysAboveTheLinesBelowWhatASecondOneDoes() throws Exception {
        Files.writeString(folder.resolve("stubborn.yaml"), """
                name: stubborn
                agents:
                  dev: {command: "trap '' TERM; while [ ! -e go ]; do sleep 0.1; done", stop: {grace: 5m}, timeout: 10m}
                phases: [{name: build, task: dev}]
                """);
        String own = folder.resolve("own").toString();
        String[] run = {"run", "stubborn.yaml", "--run-id", "r1", "--data", own};
        try (Tty tty = Tty.start(80, 24, folder, PLAIN, run)) {
            tty.awaitText("dev started", "build", "Ctrl-C stops it");
            tty.type("\u0003");
            // What is reported next is painted below; the message is still there.
            tty.awaitText(
                    "loopkeeper: stopping r1; press Ctrl-C again to kill at once",
                    "stopping: loopkeeper received SIGINT (Ctrl-C)");
            tty.type("\u0003");
            assertThat(tty.join()).isEqualTo(130);
            tty.awaitText("again to kill at once", "r1 is stopped");
            assertThat(tty.screen.text()).doesNotContain("Ctrl-C stops it");
        }
    }

    /** A person who types Ctrl-S, or whose connection hangs, halts what is shown: the message to its person held the signal up. */
    @Test
    void aTerminalThatIsHaltedKeepsNoRunFromBeingStopped() throws Exception {
        Files.writeString(folder.resolve("endless.yaml"), """
                name: endless
                agents: {dev: {command: "echo x >>rounds"}}
                retry: {stopConditions: {circuitBreaker: 0}}
                phases: [{name: build, loop: {steps: [dev], maxIterations: 0, until: iterations, noProgress: 0}}]
                """);
        String own = folder.resolve("own").toString();
        File rounds = folder.resolve("rounds").toFile();
        try (Tty tty = Tty.start(80, 24, folder, PLAIN, "run", "endless.yaml", "--run-id", "r1", "--data", own)) {
            tty.awaitText("dev started");
            tty.type("\u0013");
            // None at first: the start of an agent is printed before its output.
            long halted = rounds.length();
            Awaitility.await().until(() -> rounds.length() > halted + 40);

            tty.terminate();

            assertThat(tty.join()).isEqualTo(143);
        }
        assertThat(Files.readString(Path.of(own, "runs", "r1", "checkpoint.json")))
                .contains("error_interrupted");
        Processes.awaitNoneWith("LOOPKEEPER_DATA=" + own);
    }

    @Test
    void aServerLogsTheEventsThatAPersonNeeds() throws Exception {
        server.close();
        try (Tty tty = Tty.start(200, 24, folder, PLAIN, "serve", "--port", "0", "--data", data)) {
            tty.awaitText("Loopkeeper serves at ");
            Files.writeString(folder.resolve("asks.yaml"), "name: asks\n" + ASKING);
            assertThat(Program.run(folder, "submit", "asks.yaml", "--run-id", "r1", "--data", data)
                            .exitCode())
                    .isZero();
            tty.awaitText("run r1: created in ", "run r1: paused, anomaly: judge: tests are gone");
            assertThat(tty.screen.text()).doesNotContain("INFO", "DecisionEffects", "step build.1.judge.1 started");
            tty.terminate();
            assertThat(tty.join()).isEqualTo(143);
        }
    }

    @Test
    void printsEventsAsLinesOnRequestAndWithoutATerminal() throws Exception {
        String manifest = "agents: {dev: {command: 'true'}}\nphases: [{name: p, task: dev}]\n";
        submit("first", manifest);
        try (Tty tty = watch(200, 24, Map.of(), "--plain");
                Program file = Program.start(folder, Map.of(), "watch", "--data", data)) {
            tty.awaitText("first is ");
            Awaitility.await().untilAsserted(() -> assertThat(file.output()).contains("first is "));
            submit("second", manifest);
            tty.awaitText("run second", "completed after");
            Awaitility.await().untilAsserted(() -> assertThat(file.output()).contains("run second", "completed after"));
            assertThat(tty.screen.wasAlternate()).isFalse();
            assertThat(file.output()).doesNotContain("\u001b");
        }
    }

    /** Clears screens, colours, names windows, turns text around, piles marks, is wide, and has no end. */
    private static final String HOSTILE =
            "\u001b[2J\u001b[31mred\u001b]0;title\u0007\u009b31m\r\b <b>&amp; \u202eturned a\u0301\u0301\u0301 \u754c\u754c\u754c\t"
                    + "\u754c long \ud83d\ude00 ".repeat(60);

    private void submitStrange() throws Exception {
        ObjectNode said = Json.MAPPER.createObjectNode();
        said.put("determination", "ANOMALY").put("keyConcern", HOSTILE).put("anomalyType", HOSTILE);
        said.putArray("questions").add("why " + HOSTILE).add(HOSTILE);
        Files.writeString(folder.resolve("said.json"), Json.MAPPER.writeValueAsString(said));
        Files.writeString(folder.resolve("said.txt"), HOSTILE + "\n" + HOSTILE + "\nthe end\n");
        submit("strange", """
                agents:
                  judge:
                    command: cat ../said.txt; cat ../said.txt >&2; cat ../said.json > j.json
                    signal: j.json
                phases: [{name: build, loop: {steps: [judge]}}]
                """);
        api.until("strange", "paused");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 200})
    void whatAgentsSayChangesNothingAroundIt(int columns) throws Exception {
        submitStrange();
        try (Tty tty = watch(columns, 24, PLAIN)) {
            tty.awaitText("Loopkeeper  1 needs attention", "> strange", "strange is paused", "up/down choose");
            tty.awaitText("the end");
            assertThat(tty.screen.lines()).hasSize(24);
            assertThat(tty.screen.lines().get(0)).startsWith("Loopkeeper");
            assertThat(tty.screen.lines().get(23)).startsWith("up/down choose");
            assertThat(tty.screen.text()).doesNotContain("\u202e", "\u009b", "&#", "title");
            tty.type("q");
            assertThat(tty.join()).isZero();
            assertThat(tty.screen.overflowed() || tty.screen.wasColoured()).isFalse();
        }
        String[] table = {"runs", "--watch", "--data", data};
        try (Tty tty = Tty.start(columns, 24, folder, PLAIN, table)) {
            tty.awaitText("RUN", "WHY", "strange", "paused", "2 questions: why");
            // The terminal itself shows the key behind a line that may be full.
            assertThat(tty.screen.overflowed()).as(tty.screen.text()).isFalse();
            tty.type("\u0003");
            assertThat(tty.join()).isEqualTo(130);
            assertThat(tty.screen.wasColoured() || tty.screen.wasAlternate()).isFalse();
        }
    }

    @Test
    void ofVeryManyRunsTheScreenShowsAPartThatKeysMove() throws Exception {
        for (int index = 0; index < 70; index++) {
            ObjectNode held = Json.MAPPER.createObjectNode();
            held.put("manifest", "name: many\nagents: {dev: {command: 'true'}}\nphases: [{name: p, task: dev}]\n");
            held.put("runId", "many-" + index).put("workspace", folder.toString());
            assertThat(api.post("/runs", held.put("start", false)).status()).isEqualTo(201);
        }
        submitAsking();
        try (Tty tty = watch(80, 24, PLAIN)) {
            tty.awaitText("1 needs attention, 70 open, 0 ended", "> asks");
            tty.type("G");
            tty.awaitText("> many-0 ", "-- many-0 ");
            assertThat(tty.screen.lines()).hasSize(24);
            assertThat(tty.screen.lines().get(0)).startsWith("Loopkeeper");
            tty.resize(200, 50);
            tty.awaitText("> many-0 ", "up/down choose");
            Awaitility.await().until(() -> tty.screen.lines().get(49).startsWith("up/down choose"));
            // Beyond this a frame for the size before may be on its way.
            assertThat(tty.screen.overflowed()).isFalse();
            tty.resize(60, 10);
            Awaitility.await().until(() -> tty.screen.lines().get(9).startsWith("up/down choose"));
            assertThat(tty.screen.text()).contains("> many-0 ");
            tty.type("g");
            tty.awaitText("> asks");
            tty.type("q");
            assertThat(tty.join()).isZero();
        }
        try (Tty tty = Tty.start(80, 12, folder, PLAIN, "runs", "--watch", "--data", data)) {
            tty.awaitText("RUN", "asks");
            Awaitility.await().until(() -> tty.screen.lines().get(10).startsWith("many-"));
            tty.type("\u0003");
            assertThat(tty.join()).isEqualTo(130);
            assertThat(tty.screen.overflowed()).isFalse();
        }
    }

    @Test
    void aTerminalThatKnowsNothingGetsLines() throws Exception {
        submitAsking();
        api.until("asks", "paused");
        Map<String, String> dumb = Map.of("TERM", "dumb");
        try (Tty all = watch(80, 24, dumb);
                Tty one = watch(80, 24, dumb, "asks")) {
            one.awaitText("asks is paused", "resume it with:");
            all.awaitText("asks is paused");
            one.type("\u0003");
            all.type("\u0003");
            assertThat(one.join()).isEqualTo(130);
            assertThat(all.join()).isEqualTo(130);
            assertThat(all.screen.wasAlternate() || all.screen.wasColoured()).isFalse();
            assertThat(one.screen.wasAlternate() || one.screen.wasColoured()).isFalse();
        }
    }
}
