package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a person sees in a terminal, and what is left of it. */
class TerminalIT {
    private static final Map<String, String> PLAIN = Map.of("NO_COLOR", "1");

    @TempDir
    private Path folder;

    private String data;
    private Program server;

    @BeforeEach
    void serve() throws IOException {
        data = folder.resolve("data").toString();
        server = Program.serve(folder, Path.of(data));
        Awaitility.await().until(() -> !server.firstLine().isEmpty());
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void submit(String runId, String manifest) throws Exception {
        Path file = Files.writeString(folder.resolve(runId + ".yaml"), "name: " + runId + "\n" + manifest);
        assertThat(Program.run(folder, "submit", file.toString(), "--run-id", runId, "--data", data)
                        .exitCode())
                .isZero();
    }

    private void submitAsking() throws Exception {
        submit("asks", """
                agents:
                  judge:
                    command: >-
                      echo thinking about it;
                      echo '{"determination": "ANOMALY", "keyConcern": "tests are gone", "questions": ["why?"]}' > j.json
                    signal: j.json
                phases: [{name: build, loop: {steps: [judge]}}]
                """);
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

    @ParameterizedTest
    @CsvSource({"60, q, 0", "80, \u0003, 130", "200, TERM, 143", "120, KILL, 7"})
    void allRunsAreSeenOnAFullScreenWhichIsGivenBackOnEveryWayOut(int columns, String end, int exitCode)
            throws Exception {
        submitAsking();
        try (Tty tty = watch(columns, 24, columns == 60 ? PLAIN : Map.of())) {
            tty.awaitText(
                    "Loopkeeper  1 waits for you, 0 go on, 0 ended",
                    "> asks",
                    "paused",
                    "resume it with:",
                    "thinking about it",
                    "up/down choose");
            assertThat(tty.screen.isAlternate()).isTrue();
            assertThat(tty.screen.isCursorHidden()).isTrue();
            assertThat(tty.isAsBefore()).isFalse();
            switch (end) {
                case "TERM" -> tty.terminate();
                case "KILL" -> server.kill();
                default -> tty.type(end);
            }
            assertThat(tty.join()).isEqualTo(exitCode);
            Awaitility.await().until(() -> !tty.screen.isAlternate() && !tty.screen.isCursorHidden());
            assertThat(tty.isAsBefore()).isTrue();
            assertThat(tty.screen.overflowed() && exitCode != 7).isFalse();
            assertThat(tty.screen.wasColoured()).isEqualTo(columns != 60);
            assertThat(tty.screen.text()).doesNotContain("waits for you");
        }
    }

    @Test
    void keysChooseARunAndAResizeIsPainted() throws Exception {
        submitAsking();
        submitWaiting();
        try (Tty tty = watch(100, 30, PLAIN)) {
            tty.awaitText("1 waits for you, 1 goes on", "> asks", "why?");
            tty.type("j");
            tty.awaitText("> going", "-- going  build.4.judge.1");
            tty.type("\u001b[A");
            tty.awaitText("> asks", "why?");
            tty.type("f");
            tty.awaitText("only those that wait for you");
            tty.type("f");
            tty.awaitText("only those that go on", "> going");
            tty.type("?");
            tty.awaitText("the run and its log come or go");
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
            assertThat(tty.screen.overflowed()).isFalse();
        }
        Files.writeString(folder.resolve("go"), "");
    }

    @Test
    void theLinesBelowARunBeginWithItsHistoryAndGoWithIt() throws Exception {
        submitWaiting();
        try (Tty tty = watch(80, 24, PLAIN, "going")) {
            tty.awaitText("going is running", "build 4", "▪▪▪", "Ctrl-C leaves it");
            Files.writeString(folder.resolve("go"), "");
            assertThat(tty.join()).isZero();
            tty.awaitText("going is completed", "4 iterations");
            assertThat(tty.screen.text()).doesNotContain("Ctrl-C leaves it");
            assertThat(tty.screen.wasAlternate() || tty.screen.wasColoured() || tty.screen.overflowed())
                    .isFalse();
        }
    }

    @Test
    void onWishAndWithoutATerminalEventsAreLines() throws Exception {
        try (Tty tty = watch(200, 24, Map.of(), "--plain");
                Program file = Program.start(folder, Map.of(), "watch", "--data", data)) {
            Awaitility.await().untilAsserted(() -> {
                // Whoever comes late is told of runs by a headline only.
                submitAgain();
                assertThat(tty.screen.text()).contains("run again-");
                assertThat(file.output()).contains("run again-");
            });
            assertThat(tty.screen.wasAlternate()).isFalse();
            assertThat(file.output()).doesNotContain("\u001b");
        }
    }

    private int again;

    private void submitAgain() throws Exception {
        again++;
        submit("again-" + again, "agents: {dev: {command: 'true'}}\nphases: [{name: p, task: dev}]\n");
    }
}
