package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person is told of a run that stopped, without looking into a file. */
class ToldTest {
    @TempDir
    private Path folder;

    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = new Terminal(folder.resolve("data"));
    }

    private String manifest(String text) throws IOException {
        Path file = folder.resolve("m.yaml");
        Files.writeString(file, "name: x\nbudget: {costUsd: 5}\n" + text);
        return file.toString();
    }

    /** A loop of one judge that leaves this signal. */
    private String judged(String signal, String more) throws IOException {
        Files.writeString(folder.resolve("said.json"), signal);
        return manifest("agents: {judge: {command: 'cp said.json j.json', signal: j.json}}\n"
                + "phases: [{name: build, loop: {steps: [judge]}}]\n" + more);
    }

    @Test
    void whatAnAgentSaysOfAnAnomalyIsToldEverywhere() throws IOException {
        String told = "notify: [{command: 'printf \"%s|%s|%s|%s\" \"{{message}}\" \"{{keyConcern}}\" \"{{gaps}}\""
                + " \"{{reasonCode}}\" > told.txt', events: [run.paused]}]\n";
        String manifest = judged("""
                {"determination": "ANOMALY", "keyConcern": "tests were deleted", "anomalyType": "regression",
                 "gaps": ["the old tests"], "questions": ["why?"]}""", told);
        String message = "judge: tests were deleted (regression)";

        assertThat(terminal.type("run", manifest, "--run-id", "r").out()).contains("paused: anomaly: " + message);
        Awaitility.await()
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(Files.readString(folder.resolve("told.txt")))
                        .isEqualTo(message + "|tests were deleted|the old tests|anomaly"));
        for (String verb : new String[] {"show", "explain"}) {
            assertThat(terminal.type(verb, "r").out())
                    .contains("reason: anomaly: " + message, "gap: the old tests", "question: why?")
                    .doesNotContain("refine_plan", "consult_reflection");
            JsonNode pause = terminal.type(verb, "r", "--json").json().path("pause");
            assertThat(pause.path("keyConcern").asText()).isEqualTo("tests were deleted");
            assertThat(pause.path("message").asText()).isEqualTo(message);
        }
    }

    @Test
    void theAdviceOfAReasonIsShownWhereverTheEndingIs() throws IOException {
        String manifest = judged(
                "{\"terminal\": {\"reasonCode\": \"licence-expired\", \"summary\": \"the\\nlicence " + "x".repeat(900)
                        + "\"}}",
                "reasons: [{code: licence-expired, category: fatal, advice: Renew the licence.}]\n");

        Terminal.Said run = terminal.type("run", manifest, "--run-id", "r");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("advice: Renew the licence.");
        assertThat(run.out().lines()).allMatch(line -> line.length() < 700);
        for (String verb : new String[] {"show", "explain"}) {
            assertThat(terminal.type(verb, "r").out()).contains("advice: Renew the licence.");
        }
        JsonNode shown = terminal.type("show", "r", "--json").json();
        assertThat(shown.at("/termination/advice").asText()).isEqualTo("Renew the licence.");
        assertThat(shown.at("/termination/summary").asText())
                .hasSizeGreaterThan(900)
                .contains("\n");
        assertThat(shown.at("/terminalExhaustion/summary").asText())
                .hasSize(240)
                .startsWith("the licence xxx");
        assertThat(terminal.type("explain", "r", "--json").json().path("advice").asText())
                .isEqualTo("Renew the licence.");
    }
}
