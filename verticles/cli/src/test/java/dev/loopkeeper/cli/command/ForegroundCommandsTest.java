package dev.loopkeeper.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The subcommands that execute runs in this process, with the real composition root and real processes. */
class ForegroundCommandsTest {
    @TempDir
    Path folder;

    private Path data;
    private Terminal terminal;

    @BeforeEach
    void open() {
        data = folder.resolve("data");
        terminal = new Terminal(data);
    }

    private String manifest(String agent, String phase) throws IOException {
        Path file = folder.resolve("m.yaml");
        Files.writeString(file, "name: x\nbudget: {turns: 9}\nagents: {dev: " + agent + "}\nphases: [" + phase + "]\n");
        return file.toString();
    }

    @Test
    void printsACompletingRunLineByLine() throws IOException {
        Terminal.CommandOutput result =
                terminal.type("run", manifest("{command: 'echo hi'}", "{name: p, task: dev}"), "--run-id", "r");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .containsSubsequence(
                        "run r", "phase p (task)", "dev started", "dev exit 0", "completed", "r is completed");
        assertThat(result.err()).isEmpty();
        assertThat(terminal.type("logs", "r").out()).isEqualTo("hi\n");
        assertThat(terminal.type("logs", "r", "--stream", "stderr").err())
                .contains(" has printed nothing to stderr, or --keep-logs removed the log");
        assertThat(terminal.type("show", "r").out()).contains("r is completed");
        assertThat(terminal.type("runs", "--json").json().path("runs")).hasSize(1);
        assertThat(terminal.type("wait", "r").exitCode()).isZero();
        assertThat(terminal.type("watch", "r").exitCode()).isZero();
        assertThat(terminal.type("explain", "r", "--json").json().path("chain")).isNotEmpty();
        assertThat(data.resolve("server.json")).doesNotExist();
    }

    @Test
    void aPreviewThatIsRefusedNamesACommandThatIsNot() throws IOException {
        String phase = "{name: p, loop: {steps: [dev], until: {command: 'false'}, maxIterations: 1}}";
        terminal.type("run", manifest("{command: 'true'}", phase), "--run-id", "r");
        assertThat(terminal.type("resume", "r", "--dry-run").out())
                .contains("this resume would be refused", "  try: loopkeeper resume r --max-iterations 2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{name: p, task: dev}",
                "{name: p, gate: dev, retries: 0}",
                "{name: p, loop: {steps: [good], until: {command: ./test.sh}, maxIterations: 1}}"
            })
    void aFailingCheckShowsTheFailureAndTheLastLine(String phase) throws IOException {
        Path check = Files.writeString(folder.resolve("test.sh"), """
                #!/bin/sh
                echo 'PASS test_error'
                echo 'FAIL: test_login expected 3 got 4'
                echo '1 failed, 1 passed'
                echo 'make: *** [Makefile:2: test] Error 1' >&2
                exit 2
                """);
        assertThat(check.toFile().setExecutable(true)).isTrue();
        String shown = "exit 2: FAIL: test_login expected 3 got 4 make: *** [Makefile:2: test] Error 1";

        Terminal.CommandOutput run =
                terminal.type("run", manifest("{command: ./test.sh}, good: {command: 'true'}", phase), "--run-id", "r");
        assertThat(run.out())
                .contains("\n      FAIL: test_login expected 3 got 4\n      make: *** ", shown)
                .doesNotContain("PASS");
        assertThat(terminal.type("explain", "r").out()).contains(shown);
        assertThat(terminal.type("runs").out()).contains(shown);
    }

    @Test
    void theCapFollowsTheUsage() throws IOException {
        terminal.type("run", manifest("{command: 'echo tokens used: 40'}", "{name: p, task: dev}"), "--run-id", "r");
        assertThat(terminal.type("show", "r").out())
                .contains("used unknown cost, 40 tokens, unknown turns; cap 9 turns\n");
    }

    @Test
    void aNewestStepWithoutOutputNamesTheStepBefore() throws IOException {
        String phase = "{name: p, loop: {steps: [dev], until: {command: 'true'}, maxIterations: 1}}";
        terminal.type("run", manifest("{command: 'echo hi'}", phase), "--run-id", "r");
        assertThat(terminal.type("logs", "r").err())
                .contains("p.1.until.1 has printed nothing", "\ntry: loopkeeper logs r p.1.dev.1");
    }

    @Test
    void withJsonNothingButTheRunIsPrinted() throws IOException {
        Terminal.CommandOutput result =
                terminal.type("run", manifest("{command: 'true'}", "{name: p, task: dev}"), "--json");
        assertThat(result.json().path("status").asText()).isEqualTo("completed");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void anInvalidManifestStartsNothing() throws IOException {
        Terminal.CommandOutput result = terminal.type("run", manifest("{comand: 'true'}", "{name: p, task: dev}"));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("agents.dev.comand", "did you mean command?", "nothing was started");
        assertThat(data).doesNotExist();
    }

    @Test
    void aMissingSignalPausesAndFeedbackHelpsTheRetry() throws IOException {
        String command = "test -z \"$LOOPKEEPER_FEEDBACK\" || echo '{\"determination\": \"SUCCESS\"}' > signal.json";
        String manifest = manifest(
                "{command: '" + command.replace("'", "''") + "', signal: signal.json}",
                "{name: p, loop: {steps: [dev]}}");
        Terminal.CommandOutput paused = terminal.type("run", manifest, "--run-id", "r");
        assertThat(paused.exitCode()).isEqualTo(4);
        assertThat(paused.out())
                .contains(
                        "signal missing or invalid (missing_signals, absent)",
                        "expected file: signal.json\n",
                        "show the log of the step with: loopkeeper logs r p.1.dev.1 --data " + data,
                        "correct the prompt or the path of the signal first",
                        "loopkeeper resume r retry_iteration",
                        "or accept the step as it is with: loopkeeper resume r continue");
        assertThat(terminal.type("show", "r").out()).contains("loopkeeper logs r p.1.dev.1 --data " + data);
        assertThat(terminal.type("explain", "r").out()).containsOnlyOnce("loopkeeper logs r p.1.dev.1 --data " + data);
        assertThat(terminal.type("runs").out()).doesNotContain("loopkeeper logs");
        assertThat(terminal.type("wait", "r").exitCode()).isEqualTo(4);
        Terminal.CommandOutput watched = terminal.type("watch", "r");
        assertThat(watched.exitCode()).as(watched.err()).isEqualTo(4);
        assertThat(watched.err()).isEmpty();
        assertThat(terminal.type("resume", "r", "finish_loop").exitCode()).isEqualTo(2);
        assertThat(terminal.type("resume", "r", "--dry-run").out())
                .contains("this resume would be accepted", "next: launches ");
        Terminal.CommandOutput resumed = terminal.type("resume", "r", "retry_iteration", "--feedback", "write it");
        assertThat(resumed.exitCode()).as(resumed.out() + resumed.err()).isZero();
        assertThat(resumed.out()).contains("iteration 1 (attempt 2)", "SUCCESS", "r is completed");
        assertThat(terminal.type("resume", "r").exitCode()).isEqualTo(2);
    }

    @Test
    void aResumeTakesAChangedManifestAndSaysWhatChanged() throws IOException {
        Path file = Path.of(manifest("{command: 'true', signal: none.json}", "{name: p, task: dev}"));
        assertThat(terminal.type("run", file.toString(), "--run-id", "r").exitCode())
                .isEqualTo(4);
        Files.writeString(file, Files.readString(file).replace("name: p,", "name: q,"));
        Terminal.CommandOutput unfit = terminal.type("resume", "r", "--manifest", file.toString());
        assertThat(unfit.exitCode()).isEqualTo(2);
        assertThat(unfit.err())
                .contains("phases[0]", "expected the task p, which has begun, found the task q", "restore it");
        Files.writeString(file, "agents: 7\n");
        Terminal.CommandOutput bad = terminal.type("resume", "r", "--manifest", file.toString());
        assertThat(bad.exitCode()).isEqualTo(2);
        assertThat(bad.err()).contains(file + ":1:", "nothing was resumed");

        manifest("{command: 'true'}", "{name: p, task: dev}");
        Terminal.CommandOutput preview = terminal.type("resume", "r", "--manifest", file.toString(), "--dry-run");
        assertThat(preview.out()).contains("this resume would be accepted", "changed: agents.dev.signal: removed");
        Terminal.CommandOutput resumed = terminal.type("resume", "r", "--manifest", file.toString());
        assertThat(resumed.exitCode()).as(resumed.out() + resumed.err()).isZero();
        assertThat(resumed.err())
                .contains("changed: agents.dev.signal: removed")
                .doesNotContain("has changed since");
        assertThat(resumed.out()).contains("r is completed");
    }

    @Test
    void aResumeWarnsThatTheManifestFileWasEdited() throws IOException {
        Path file = Path.of(manifest("{command: 'true', signal: none.json}", "{name: p, task: dev}"));
        String changed = file + " has changed since the run was submitted; this resume uses the recorded one";
        assertThat(terminal.type("run", file.toString(), "--run-id", "r").exitCode())
                .isEqualTo(4);
        assertThat(terminal.type("resume", "r", "--dry-run").err()).isEmpty();

        Files.writeString(file, "# edited\n", StandardOpenOption.APPEND);
        Terminal.CommandOutput preview = terminal.type("resume", "r", "--dry-run");
        assertThat(preview.err()).contains(changed, "loopkeeper resume r --manifest " + file);
        assertThat(preview.err().lines()).hasSize(1);
        assertThat(terminal.type("resume", "r").err()).contains(changed);

        Files.writeString(file, "\tno manifest at all");
        assertThat(terminal.type("resume", "r", "--dry-run").err()).contains(changed);

        Files.delete(file);
        assertThat(terminal.type("resume", "r", "--dry-run").err()).isEmpty();
    }

    /** The log of the judge was named, which rejected an earlier iteration. */
    @Test
    void anEndingNamesTheLogOfTheStepThatCausedIt() throws IOException {
        Path file = Files.writeString(folder.resolve("halted.yaml"), """
                name: x
                agents:
                  dev:
                    signal: .loopkeeper/dev.json
                    timeout: 1m
                    command: |
                      case $LOOPKEEPER_ITERATION in
                        1) echo '{"determination": "PROGRESS"}';;
                        *) echo '{"terminal": {"reasonCode": "halted", "summary": "no key"}}';;
                      esac >$LOOPKEEPER_SIGNAL_FILE
                  judge:
                    signal: .loopkeeper/judge.json
                    timeout: 1m
                    command: |
                      echo '{"determination": "STALLED"}' >$LOOPKEEPER_SIGNAL_FILE
                phases: [{name: p, loop: {steps: [dev, judge], maxIterations: 5}}]
                """);
        Terminal.CommandOutput halted = terminal.type("run", file.toString(), "--run-id", "r");
        assertThat(halted.exitCode()).as(halted.err()).isEqualTo(1);
        assertThat(halted.out()).contains("show the log of the step with: loopkeeper logs r p.2.dev.1 --data " + data);
    }

    @Test
    void explainPrintsTheLastTenEventsUnlessAllAreRequested() throws IOException {
        String loop = "{name: p, loop: {until: {output: never}, maxIterations: 4, steps: [dev]}}";
        terminal.type("run", manifest("{command: 'true'}", loop), "--run-id", "r");
        String all = terminal.type("explain", "r", "--events").out();
        assertThat(all).contains("  events that led here:\n    1  ");
        String last = terminal.type("explain", "r").out();
        assertThat(last).contains("  the last 10 of ", " events that led here; --events prints all:\n");
        assertThat(last.lines().count()).isEqualTo(all.lines().count() - eventsIn(all) + 10);
        assertThat(last.lines().toList())
                .endsWith(all.lines().toList().get((int) all.lines().count() - 1));
    }

    private static long eventsIn(String explained) {
        return explained.lines().filter(line -> line.matches(" {4}\\d+  .*")).count();
    }

    @Test
    void aLimitAndAFailureHaveTheirOwnCodes() throws IOException {
        String loop = "{name: p, loop: {until: {output: never}, maxIterations: 2, steps: [dev]}}";
        Terminal.CommandOutput limit = terminal.type("run", manifest("{command: 'true'}", loop), "--run-id", "r");
        assertThat(limit.exitCode()).isEqualTo(3);
        assertThat(limit.out())
                .contains(
                        "convergence-limit",
                        "show the log of the step with: loopkeeper logs r p.2.dev.1 --data " + data,
                        "loopkeeper resume r --max-iterations 4");
        assertThat(terminal.type("resume", "r").exitCode()).isEqualTo(2);
        assertThat(terminal.type("explain", "r").out())
                .contains("  a resume launches dev, iteration 3 of 4\n")
                .doesNotContain("continue: ", "terminal exhaustion");
        Terminal.CommandOutput failed =
                terminal.type("run", manifest("{command: 'false'}", "{name: p, task: dev}"), "--run-id", "s");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.out()).contains("show the log of the step with: loopkeeper logs s p.dev.1 --data " + data);
    }

    @Test
    void aStopWithoutAServerIsExecutedByTheCommand() throws IOException {
        String manifest = manifest("{command: 'true', signal: none.json}", "{name: p, task: dev}");
        assertThat(terminal.type("run", manifest, "--run-id", "r").exitCode()).isEqualTo(4);
        Terminal.CommandOutput stopped = terminal.type("stop", "r");
        assertThat(stopped.exitCode()).as(stopped.err()).isZero();
        assertThat(stopped.out()).contains("error_operator_stop");
        assertThat(terminal.type("wait", "r").exitCode()).isEqualTo(6);
    }

    @Test
    void aRunIdIsTakenOnce() throws IOException {
        String manifest = manifest("{command: 'true'}", "{name: p, task: dev}");
        assertThat(terminal.type("run", manifest, "--run-id", "r").exitCode()).isZero();
        Terminal.CommandOutput again = terminal.type("run", manifest, "--run-id", "r");
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.err()).contains("r");
    }

    @Test
    void anAddressThatOthersReachNeedsTokens() {
        assertThat(terminal.type("serve", "--host", "0.0.0.0", "--port", "0").err())
                .contains("token");
    }

    @Test
    void withoutAServerTheOthersSayHowToStartOne() throws IOException {
        String manifest = manifest("{command: 'true'}", "{name: p, task: dev}");
        for (String subcommand : new String[] {"submit " + manifest, "ps", "reap", "kill r dev", "pause r", "watch"}) {
            Terminal.CommandOutput result = terminal.type(subcommand.split(" "));
            assertThat(result.exitCode()).as(subcommand).isEqualTo(7);
            assertThat(result.err()).as(subcommand).contains("loopkeeper serve --data");
        }
        assertThat(terminal.type("runs").exitCode()).isZero();
        assertThat(terminal.type("resume", "r").exitCode()).isEqualTo(7);
        assertThat(data).doesNotExist();
    }

    /** It ended with 124 where its time was over when that was known: a longer wait would not have shown more. */
    @Test
    void doesNotWaitForARunWithoutAnOwner() throws IOException {
        String manifest = manifest("{command: 'true', signal: none.json}", "{name: p, task: dev}");
        assertThat(terminal.type("run", manifest, "--run-id", "r").exitCode()).isEqualTo(4);
        Terminal.CommandOutput unknown = terminal.type("wait", "q", "--timeout", "1ms");
        assertThat(unknown.exitCode()).as(unknown.err()).isEqualTo(7);
        assertThat(unknown.err()).isEqualTo(terminal.type("show", "q").err()).contains("there is no run q in " + data);
        Terminal.CommandOutput resting = terminal.type("wait", "r", "--for", "ended", "--timeout", "1ms");
        assertThat(resting.exitCode()).as(resting.err()).isEqualTo(7);
        assertThat(resting.err()).contains("run r stays paused until it is resumed");
    }
}
