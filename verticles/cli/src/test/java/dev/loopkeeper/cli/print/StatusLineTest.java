package dev.loopkeeper.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Run;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusLineTest {
    private static final String DIM = "\u001b[2m";
    private static final String PLAIN = "\u001b[0m";
    private static final String TAKE_BACK = "\r\u001b[K";

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    private StatusLine line(boolean terminal) {
        PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
        Console console = new Console(out, out, Map.of(), terminal ? Optional.of(Screen.of(80, 24)) : Optional.empty(), terminal, "loopkeeper");
        return new StatusLine(console, Clock.fixed(Instant.parse("2026-11-20T12:01:05Z"), ZoneOffset.UTC));
    }

    private String written() {
        return written.toString(StandardCharsets.UTF_8);
    }

    private static Run run(String phase, String cost) throws JsonProcessingException {
        return ViewJson.run(Json.MAPPER.readTree("""
                {"status": "running", "position": {"phase": "%s", "iteration": 3, "item": null,
                 "stepId": "build.3.dev.1"}, "usage": {"costUsd": %s},
                 "executions": [{"startedAt": "2026-11-20T11:00:00Z"}, {"startedAt": "2026-11-20T12:00:00Z"}]}
                """.formatted(phase, cost)));
    }

    @Test
    void itTellsPhaseIterationStepTimeAndCost() throws Exception {
        try (StatusLine line = line(true)) {
            line.show(run("build", "1.5"));
            assertThat(written())
                    .isEqualTo(
                            TAKE_BACK + DIM + "running | build | iteration 3 | build.3.dev.1 | 1m 05s | $1.50" + PLAIN);
        }
        assertThat(written()).endsWith(PLAIN + TAKE_BACK);
    }

    @Test
    void anUnknownCostIsNotTold() throws Exception {
        try (StatusLine line = line(true)) {
            line.show(run("build", "null"));
            assertThat(written()).endsWith("1m 05s" + PLAIN);
        }
    }

    @Test
    void linesThatStayStandAboveIt() throws Exception {
        try (StatusLine line = line(true)) {
            line.print("first");
            line.show(run("build", "null"));
            written.reset();
            line.print("second");
            assertThat(written())
                    .startsWith(TAKE_BACK + "second" + System.lineSeparator() + DIM + "running")
                    .endsWith(PLAIN);
        }
    }

    @Test
    void itNeverWrapsNorMovesTheCursor() throws Exception {
        try (StatusLine line = line(true)) {
            line.show(run("\\u001b[2J" + "x".repeat(200), "null"));
            assertThat(written().length()).isLessThan(100);
            assertThat(written()).doesNotContain("[2J\u001b").startsWith(TAKE_BACK + DIM + "running | xx");
        }
    }

    @Test
    void elsewhereThereIsNone() throws Exception {
        try (StatusLine line = line(false)) {
            line.show(run("build", "1"));
            line.print("first");
        }
        assertThat(written()).isEqualTo("first" + System.lineSeparator());
    }
}
