package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is printed of a run that stopped, without looking into a file. */
class StoppedRunOutputTest {
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
    private String manifestOfJudge(String signal, String more) throws IOException {
        Files.writeString(folder.resolve("said.json"), signal);
        return manifest("agents: {judge: {command: 'cp said.json j.json', signal: j.json}}\n"
                + "phases: [{name: build, loop: {steps: [judge]}}]\n" + more);
    }

    @Test
    void everyCommandPrintsTheAgentsWordsOfAnAnomaly() throws IOException {
        String text = "notify: [{command: 'printf \"%s|%s|%s|%s\" \"{{message}}\" \"{{keyConcern}}\" \"{{gaps}}\""
                + " \"{{reasonCode}}\" > told.txt', events: [run.paused]}]\n";
        String manifest = manifestOfJudge("""
                {"determination": "ANOMALY", "keyConcern": "tests were deleted", "anomalyType": "regression",
                 "gaps": ["the old tests"], "questions": ["why?"]}""", text);
        String message = "judge: tests were deleted (regression)";

        String out = terminal.type("run", manifest, "--run-id", "r").out();
        assertThat(out).contains("paused: anomaly: " + message).containsOnlyOnce(message);
        Awaitility.await()
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(Files.readString(folder.resolve("told.txt")))
                        .isEqualTo(message + "|tests were deleted|the old tests|anomaly"));
        for (String subcommand : new String[] {"show", "explain"}) {
            assertThat(terminal.type(subcommand, "r").out())
                    .contains("reason: anomaly: " + message, "gap: the old tests", "question: why?")
                    .doesNotContain("refine_plan", "consult_reflection");
            JsonNode pause = terminal.type(subcommand, "r", "--json").json().path("pause");
            assertThat(pause.path("keyConcern").asText()).isEqualTo("tests were deleted");
            assertThat(pause.path("message").asText()).isEqualTo(message);
        }
        assertThat(terminal.type("show", "r", "build.1.judge.1").out())
                .contains(
                        "verdict ANOMALY: tests were deleted (regression)",
                        "signal {",
                        "took ",
                        "What the launch knew:");
    }

    @Test
    void aLongErrorOfAPauseIsShownOnce() throws IOException {
        Files.writeString(folder.resolve("said.txt"), "connect ECONNREFUSED " + "word ".repeat(100));
        String manifest = manifest("agents: {dev: {command: 'cat said.txt >&2; exit 1'}}\n"
                + "retry: {transient: {max: 0}}\nphases: [{name: p, task: dev}]\n");
        assertThat(terminal.type("run", manifest, "--run-id", "r").exitCode()).isEqualTo(4);

        assertThat(terminal.type("show", "r").out())
                .contains("the provider stays unavailable: connect ECONNREFUSED word")
                .doesNotContain("error: connect");
    }

    @Test
    void aMissingSignalOfAPauseIsShownOnce() throws IOException {
        String manifest = manifest("agents: {dev: {command: 'true', signal: j.json}}\n"
                + "phases: [{name: build, loop: {steps: [dev]}}]\n");
        assertThat(terminal.type("run", manifest, "--run-id", "r").exitCode()).isEqualTo(4);

        assertThat(terminal.type("show", "r").out())
                .contains("dev: the step left no signal file")
                .doesNotContain("error: ");
    }

    @Test
    void theAdviceOfAReasonIsShownWhereverTheEndingIs() throws IOException {
        String manifest = manifestOfJudge(
                "{\"terminal\": {\"reasonCode\": \"licence-expired\", \"summary\": \"the\\nlicence " + "x".repeat(900)
                        + "\"}}",
                "reasons: [{code: licence-expired, category: fatal, advice: Renew the licence.}]\n");

        Terminal.CommandOutput run = terminal.type("run", manifest, "--run-id", "r");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("advice: Renew the licence.");
        assertThat(run.out().lines()).allMatch(line -> line.length() < 700);
        for (String subcommand : new String[] {"show", "explain"}) {
            assertThat(terminal.type(subcommand, "r").out()).contains("advice: Renew the licence.");
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

    /** A task has no iterations to raise, and the qualifier was in JSON only. */
    @Test
    void aLimitThatATaskNamesItselfIsResumedWithFeedback() throws IOException {
        String manifest = manifest("""
                agents: {dev: {command: 'cp said.json d.json', signal: d.json}}
                phases: [{name: p, task: dev}]
                """);
        Files.writeString(
                folder.resolve("said.json"),
                "{\"terminal\": {\"reasonCode\": \"convergence-limit\", \"summary\": \"no ideas left\", \"qualifier\": \"seat 7\"}}");
        assertThat(terminal.type("run", manifest, "--run-id", "r").exitCode()).isEqualTo(3);

        for (String subcommand : new String[] {"show", "explain"}) {
            assertThat(terminal.type(subcommand, "r").out())
                    .contains("qualifier: seat 7", "a resume needs --feedback TEXT", "resume r --feedback TEXT")
                    .doesNotContain("--max-iterations");
        }
    }

    @Test
    void aResumeIsSuggestedAsOneCompleteCommand() throws IOException {
        String manifest = manifest("""
                agents: {judge: {command: 'cp said.json j.json', signal: j.json}}
                phases: [{name: build, loop: {steps: [judge], maxIterations: 2}}]
                """);
        Files.writeString(
                folder.resolve("said.json"), "{\"determination\": \"PROGRESS\", \"keyConcern\": \"two tests fail\"}");

        Terminal.CommandOutput run = terminal.type("run", manifest, "--run-id", "r");

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(3);
        assertThat(run.out())
                .contains("2 iterations")
                .contains("  resume it with: loopkeeper resume r --max-iterations 4 --data");
        for (String subcommand : new String[] {"show", "explain", "wait", "watch"}) {
            assertThat(terminal.type(subcommand, "r").out())
                    .as(subcommand)
                    .contains("resume it with: loopkeeper resume r --max-iterations 4 --data")
                    .doesNotContain("resume r --max-iterations N");
        }
        assertThat(terminal.type("show", "r").out())
                .contains("iteration 2 of 2", "last verdict PROGRESS by build.2.judge.1: two tests fail");
        assertThat(terminal.type("resume", "r", "--max-iterations", "4").exitCode())
                .isEqualTo(3);
    }

    private Path log(String step, String name) {
        return folder.resolve("data/runs/r/steps").resolve(step).resolve(name);
    }

    @Test
    void aStepThatFailsSaysWhyAtOnceAndAfterwards() throws IOException {
        String manifest = manifest("agents: {dev: {command: 'echo working; echo a trace >&2;"
                + " echo fatal: not a git repository >&2; exit 128'}}\nphases: [{name: p, task: dev}]\n");

        Terminal.CommandOutput run = terminal.type("run", manifest, "--run-id", "r");

        assertThat(run.out())
                .containsSubsequence("dev exit 128 in", "a trace\n      fatal: not a git repository\n", "failed");
        for (String subcommand : new String[] {"show", "explain"}) {
            assertThat(terminal.type(subcommand, "r").out()).contains("fatal: not a git repository");
        }
        JsonNode ended = terminal.type("show", "r", "--json").json().path("termination");
        assertThat(ended.at("/errorContext/kind").asText()).isEqualTo("unclassified");
        assertThat(ended.at("/errorContext/message").asText())
                .isEqualTo("exit 128: a trace\nfatal: not a git repository");
        assertThat(terminal.type("logs", "r").out())
                .isEqualTo("working\n[stderr] a trace\n[stderr] fatal: not a git repository\n");
        assertThat(terminal.type("logs", "r", "--tail", "1").out())
                .isEqualTo("working\n[stderr] fatal: not a git repository\n");
        assertThat(terminal.type("logs", "r", "--stream", "stderr").out())
                .isEqualTo("a trace\nfatal: not a git repository\n");
        Terminal.CommandOutput raw = terminal.type("logs", "r", "--raw");
        assertThat(raw.out()).isEqualTo("working\n");
        assertThat(raw.err()).isEqualTo("a trace\nfatal: not a git repository\n");
    }

    @Test
    void logsWithoutAServerNameTheGapOfACutLog() throws IOException {
        String manifest = manifest("agents: {dev: {command: 'true'}}\nphases: [{name: p, task: dev}]\n");
        assertThat(terminal.type("run", manifest, "--run-id", "r").exitCode()).isZero();
        Files.writeString(log("p.dev.1", "stdout.log"), "begin\n" + "\0".repeat(5000) + "end\nlast\n");
        Files.writeString(log("p.dev.1", "stdout.dropped.json"), "{\"from\": 6, \"to\": 5006}");

        String text = "begin\n\n[loopkeeper: 5000 bytes were dropped here, the log limit was reached]\nend\nlast\n";
        assertThat(terminal.type("logs", "r").out()).isEqualTo(text);
        assertThat(terminal.type("logs", "r", "--raw").out()).isEqualTo(text);
        assertThat(terminal.type("logs", "r", "--tail", "1").out()).isEqualTo("last\n");
        assertThat(terminal.type("logs", "r", "--tail", "9").out()).isEqualTo("end\nlast\n");
        Terminal.CommandOutput none = terminal.type("logs", "r", "--tail", "0");
        assertThat(none.out() + none.err()).isEmpty();
    }

    @Test
    void aLogForPeopleCannotActOnTheirTerminal() throws IOException {
        String manifest = manifest("agents: {dev: {command: 'true'}}\nphases: [{name: p, task: dev}]\n");
        assertThat(terminal.type("run", manifest, "--run-id", "r").exitCode()).isZero();
        String printed = "\u001b[31mred\u001b[0m \u001b]0;title\u0007\tü\r\n10%\r20%\n" + "é".repeat(70_000) + "\nopen";
        Files.writeString(log("p.dev.1", "stdout.log"), printed);

        assertThat(terminal.type("logs", "r").out()).isEqualTo("red \tü\n20%\n" + "é".repeat(70_000) + "\nopen\n");
        assertThat(terminal.type("logs", "r", "--raw").out()).isEqualTo(printed);
    }

    @Test
    void aRunIsNamedByTheBeginningOfItsIdWithoutAServer() throws IOException {
        assertThat(terminal.type("show", "-").exitCode()).isEqualTo(7);
        String manifest = manifest("agents: {dev: {command: echo hello}}\nphases: [{name: p, task: dev}]\n");
        assertThat(terminal.type("run", manifest, "--run-id", "demo-1").exitCode())
                .isZero();
        for (String name : new String[] {"-", "d", "demo-", "demo-1"}) {
            assertThat(terminal.type("show", name).out()).contains("demo-1 is completed");
            assertThat(terminal.type("logs", name).out()).contains("hello");
        }
        assertThat(terminal.type("wait", "de").out()).contains("demo-1 is completed");
        Path bundle = folder.resolve("out.zip");
        assertThat(terminal.type("export", "dem", bundle.toString()).out()).contains("demo-1");
        assertThat(terminal.type("show", "demo-2").exitCode()).isEqualTo(7);
    }

    @Test
    void anIdThatNoRunCanHaveIsRefusedByOneRule() throws IOException {
        String manifest = manifest("agents: {dev: {command: 'true'}}\nphases: [{name: p, task: dev}]\n");
        String longest = "r".repeat(128);

        assertThat(terminal.type("run", manifest, "--run-id", longest).exitCode())
                .isZero();
        assertThat(terminal.type("show", longest).exitCode()).isZero();
        Terminal.CommandOutput refused = terminal.type("run", manifest, "--run-id", longest + "r");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains(RunId.RULE);
        assertThat(terminal.type("show", longest + "r").err()).contains(RunId.RULE);
    }

    @Test
    void anUnknownStatusIsRefusedWithTheKnownOnes() {
        Terminal.CommandOutput result = terminal.type("runs", "--status", "foo");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains("'foo'", "queued, running, waiting, paused, stopping, completed, stopped, failed");
        assertThat(terminal.type("runs", "--status", "pausd").err()).contains("did you mean paused?");
    }

    @Test
    void anUnknownNameInATemplateIsRefusedWithItsPosition() throws IOException {
        Files.writeString(folder.resolve("dev.md"), "Go on.\nRound {{iterations}} of {{vars.most}}, not \\{{this}}\n");
        String manifest = manifest("""
                vars: {mostly: 5}
                agents: {dev: {command: cat, prompt: dev.md}}
                phases: [{name: p, task: dev}]
                notify: [{command: [echo, '{{sumary}}'], events: [run.paused]}]
                """);

        Terminal.CommandOutput result = terminal.type("validate", manifest);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains(
                        "agents.dev.prompt: " + folder.resolve("dev.md") + ", line 2: unknown name {{iterations}}",
                        "did you mean iteration?",
                        "{{vars.most}}",
                        "did you mean vars.mostly?",
                        "notify[0].command: unknown name {{sumary}}",
                        "did you mean summary?")
                .doesNotContain("{{this}}");
    }

    @Test
    void whatHardlyAnybodyMeansIsWarnedOf() throws IOException {
        Path file = folder.resolve("w.yaml");
        Files.writeString(
                file, "name: x\nagents: {dev: {command: 'true {{iteration}}'}}\nphases: [{name: p, task: dev}]\n");

        JsonNode valid = terminal.type("validate", file.toString(), "--json").json();
        assertThat(valid.path("warnings")).hasSize(2);
        assertThat(valid.at("/warnings/1/path").asText()).isEqualTo("agents.dev.command");
        assertThat(valid.at("/warnings/1/line").asInt()).isEqualTo(2);
        assertThat(valid.at("/warnings/1/column").asInt()).isEqualTo(25);
        Terminal.CommandOutput run = terminal.type("run", file.toString());
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("warning: " + file + ":1:1: the manifest sets no budget and no timeout");
    }
}
