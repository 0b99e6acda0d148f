package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.FakeKeeper;
import dev.loopkeeper.contract.RunChannels.EndRun;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.step.Sha256;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientCommandsTest {
    @TempDir
    Path folder;

    private FakeKeeper keeper;
    private Terminal terminal;

    @BeforeEach
    void open() {
        Path data = folder.resolve("data");
        keeper = new FakeKeeper(data);
        terminal = new Terminal(data);
    }

    @AfterEach
    void close() {
        keeper.close();
    }

    private static ObjectNode empty() {
        return Json.MAPPER.createObjectNode();
    }

    private void storeKnows(ObjectNode run) {
        keeper.happens(run, "notice", empty().put("code", "x").put("message", "x"));
    }

    @Test
    void runsAreListed() {
        keeper.put("one", "running");
        assertThat(terminal.type("runs").out()).contains("RUN", "one", "running");
        assertThat(terminal.type("runs", "--status", "running,paused", "--json")
                        .json()
                        .path("runs"))
                .hasSize(1);
        Terminal.CommandOutput wrong = terminal.type("runs", "--status", "runing");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("did you mean running");
    }

    @Test
    void aRunIsShown() {
        keeper.paused("one");
        assertThat(terminal.type("show", "one").out())
                .contains(
                        "one is paused",
                        "signal missing or invalid (missing_signals, absent)",
                        "retry_iteration, continue")
                .contains("resume it with: loopkeeper resume one retry_iteration");
        assertThat(terminal.type("show", "one", "--json").json().path("runId").asText())
                .isEqualTo("one");
        assertThat(terminal.type("explain", "one").out()).contains("no signal was left");
        assertThat(terminal.type("explain", "one", "--json")
                        .json()
                        .path("status")
                        .asText())
                .isEqualTo("paused");
    }

    @Test
    void aRunThatWaitsForItsProviderShowsItsResumeTime() {
        ObjectNode run = keeper.put("one", "waiting").put("resumable", true);
        run.putArray("allowedActions").add("continue");
        run.putObject("waiting")
                .put("reason", "provider")
                .put("detail", "rate-limit")
                .put("message", "dev: 429")
                .put("resumeAt", "2126-11-20T15:30:00Z");
        assertThat(terminal.type("show", "one").out())
                .contains("dev: 429; resumes automatically at ")
                .contains("continue it now with: loopkeeper resume one continue --data");
        assertThat(terminal.type("explain", "one").out())
                .contains("dev: 429; resumes automatically at ")
                .contains("continue it now with: loopkeeper resume one continue --data");
        assertThat(terminal.type("runs").out()).contains("dev: 429; resumes automatically at ");
    }

    @Test
    void aRunThatWasSubmittedWithoutAStartSaysHowToStartIt() {
        keeper.put("one", "queued")
                .put("resumable", true)
                .putArray("allowedActions")
                .add("continue");
        for (String subcommand : new String[] {"show", "explain"}) {
            assertThat(terminal.type(subcommand, "one").out())
                    .as(subcommand)
                    .contains("start it with: loopkeeper resume one continue --data");
        }
    }

    @Test
    void aRequestedPauseIsSaidWhileAStepIsStillOpen() {
        ObjectNode run =
                keeper.paused("one").put("status", "running").put("summary", "running, pauses when dev has ended");
        run.remove("allowedActions");
        for (String subcommand : new String[] {"show", "explain"}) {
            assertThat(terminal.type(subcommand, "one").out())
                    .as(subcommand)
                    .contains("  running, pauses when dev has ended\n");
        }
    }

    @Test
    void namesTheNodeThatARunWaitsFor() {
        keeper.put("one", "running").put("waitsFor", "n1, silent 3 m");
        for (String subcommand : new String[] {"runs", "show", "explain"}) {
            assertThat(terminal.type(subcommand, subcommand.equals("runs") ? "--limit=1" : "one")
                            .out())
                    .as(subcommand)
                    .containsOnlyOnce("waits for n1, silent 3 m");
        }
    }

    @Test
    void whatToTypeNextNamesTheServerThatWasNamed() throws IOException {
        keeper.paused("one");
        Path tokens = Files.writeString(folder.resolve("my tokens"), "0123456789abcdef control\n");
        Terminal stranger = new Terminal(folder.resolve("elsewhere"));
        assertThat(stranger.type("show", "one", "--server", keeper.url, "--token-file", tokens.toString())
                        .out())
                .contains("--server " + keeper.url + " --token-file '" + tokens + "'\n");
        stranger.environment.put("LOOPKEEPER_SERVER", keeper.url);
        assertThat(stranger.type("show", "one").out())
                .contains("resume it with: loopkeeper resume one retry_iteration")
                .doesNotContain("--server");
    }

    @Test
    void aRunThatIsNotThereCannotBeReached() {
        for (String subcommand : new String[] {"show", "explain", "logs", "stop", "pause", "resume", "wait", "watch"}) {
            Terminal.CommandOutput result = terminal.type(subcommand, "none");
            assertThat(result.exitCode()).as(subcommand).isEqualTo(7);
            assertThat(result.err()).as(subcommand).contains("there is no run none ", "see: loopkeeper runs");
        }
        assertThat(terminal.type("show", "../etc").exitCode()).isEqualTo(7);
    }

    @Test
    void aBeginningThatNoOtherRunHasNamesARun() {
        for (String id : List.of("fix-1", "fix-2", "fix", "docs-1")) {
            storeKnows(keeper.ended(id, "stopped", "error_operator_stop", "retryable"));
        }
        assertThat(terminal.type("show", "d").out()).contains("docs-1 is stopped");
        assertThat(terminal.type("show", "fix").out()).contains("fix is stopped");
        for (String subcommand : new String[] {"show", "explain", "stop", "resume", "wait", "watch", "pause"}) {
            Terminal.CommandOutput result = terminal.type(subcommand, "docs");
            assertThat(result.out() + result.err())
                    .as(subcommand)
                    .contains("docs-1 is")
                    .doesNotContain("fix");
        }
        assertThat(terminal.type("wait", "fix-2", "--json").json().path("runId").asText())
                .isEqualTo("fix-2");
    }

    @Test
    void aBeginningOfSeveralRunsIsRefusedWithFiveOfThem() {
        for (int number = 1; number <= 7; number++) {
            keeper.put("fix-" + number, "running");
        }
        for (String subcommand : new String[] {"show", "explain", "logs", "stop", "pause", "resume", "wait", "watch"}) {
            Terminal.CommandOutput result = terminal.type(subcommand, "fix");
            assertThat(result.exitCode()).as(subcommand).isEqualTo(2);
            assertThat(result.err())
                    .as(subcommand)
                    .contains("'fix' is the beginning of several run ids: fix-7, fix-6, fix-5, fix-4, fix-3 and more");
        }
        assertThat(keeper.nothingWasDone()).isTrue();
        assertThat(terminal.type("kill", "fix", "dev").exitCode()).isEqualTo(2);
        keeper.put("fix", "running");
        assertThat(terminal.type("show", "fix").out()).contains("fix is running");
    }

    @Test
    void theCountsOfALoopAreOfIterationsAndNotOfApprovedUnits() {
        ObjectNode run = keeper.put("one", "running");
        run.putObject("statistics")
                .put("itemsTotal", 5)
                .put("itemsAttempted", 4)
                .put("itemsApproved", 2)
                .put("itemsRejected", 1)
                .put("itemsFailed", 1)
                .put("totalAttempts", 6);
        assertThat(terminal.type("show", "one").out())
                .contains("2 of 5 iterations with success or progress, 1 stalled, 1 failed, 6 launches");

        run.putArray("phases").addObject().put("name", "frames").put("kind", "each");
        assertThat(terminal.type("show", "one").out())
                .contains("2 of 5 units approved, 1 rejected, 1 failed, 6 launches");
    }

    @Test
    void aDashNamesTheNewestRun() {
        Terminal.CommandOutput none = terminal.type("show", "-");
        assertThat(none.exitCode()).isEqualTo(7);
        assertThat(none.err()).contains("there is no run yet");
        keeper.put("demo-1", "running");
        keeper.put("demo-2", "running");
        assertThat(terminal.type("show", "-").out()).contains("demo-2 is running");
        assertThat(terminal.type("show", "-", "--server", keeper.url).out()).contains("demo-2");
    }

    @Test
    void aStopIsDoneWhenTheRunHasEnded() {
        storeKnows(keeper.ended("one", "stopped", "error_operator_stop", "retryable"));
        Terminal.CommandOutput result = terminal.type("stop", "one", "--now", "--reason", "enough");
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("one is stopped", "error_operator_stop");
        assertThat(keeper.last(StopRun.class)).isEqualTo(new StopRun("one", Optional.of("enough"), true));
    }

    @Test
    void aStopThatTakesLongerThanTheWaitSaysSo() {
        storeKnows(keeper.put("one", "stopping"));
        Terminal.CommandOutput result = terminal.type("stop", "one", "--timeout", "2s");
        assertThat(result.exitCode()).isEqualTo(124);
        assertThat(result.err()).contains("not stopped yet");
    }

    @Test
    void anEndNeedsAReasonAndIsDoneWhenTheRunHasEnded() {
        storeKnows(keeper.ended("one", "failed", "error_licence_expired", "fatal"));
        assertThat(terminal.type("end", "one").exitCode()).isEqualTo(2);
        Terminal.CommandOutput result = terminal.type(
                "end", "one", "--reason", "licence-expired", "--summary", "no licence", "--qualifier", "seat 7");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("one is failed", "error_licence_expired");
        assertThat(keeper.last(EndRun.class))
                .isEqualTo(new EndRun("one", "licence-expired", "no licence", Optional.of("seat 7")));
        assertThat(terminal.type("end", "one", "--reason", "halted").exitCode()).isZero();
        assertThat(keeper.last(EndRun.class).summary()).isEqualTo("ended by an operator");
    }

    @Test
    void aPauseIsRequested() {
        keeper.put("one", "running");
        assertThat(terminal.type("pause", "one", "--reason", "lunch").out())
                .contains("pauses when its open steps have ended");
        assertThat(keeper.last(PauseRun.class)).isEqualTo(new PauseRun("one", Optional.of("lunch")));
    }

    @Test
    void aProposedCommandWithItsPlaceholderIsNoAnswer() {
        keeper.paused("one");
        for (String copied : List.of("ANSWERS", "TEXT")) {
            Terminal.CommandOutput result = terminal.type("resume", "one", "continue", "--feedback", copied);
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err()).contains("--feedback " + copied + " is a placeholder");
        }
        assertThat(keeper.nothingWasDone()).isTrue();
    }

    @Test
    void aResumeBringsWhatIsGiven() {
        keeper.put("one", "running");
        Terminal.CommandOutput result = terminal.type(
                ("resume one retry_iteration --feedback again --budget-usd 2.5 --budget-tokens 7 --budget-turns 8"
                                + " --max-iterations 9 --max-attempts 3 --max-retry-rate 0.4 --circuit-breaker 0"
                                + " --reset-items a,b --reset-statistics --acknowledge --waive gate --force")
                        .split(" "));
        assertThat(result.exitCode()).as(result.err()).isZero();
        ResumeRequest request = keeper.last(ResumeRun.class).request();
        assertThat(request.action()).contains(ResumeAction.RETRY_ITERATION);
        assertThat(request.feedback()).contains("again");
        assertThat(request.costUsd()).hasValue(2.5);
        assertThat(request.tokens()).hasValue(7);
        assertThat(request.turns()).hasValue(8);
        assertThat(request.maxIterations()).hasValue(9);
        assertThat(request.maxAttempts()).hasValue(3);
        assertThat(request.stopConditions().maxRetryRate()).hasValue(0.4);
        assertThat(request.stopConditions().circuitBreaker()).hasValue(0);
        assertThat(request.resetItems()).containsExactly("a", "b");
        assertThat(request.resetStatistics() && request.acknowledge() && request.force())
                .isTrue();
        assertThat(request.waive()).contains("gate");
        assertThat(request.dryRun()).isFalse();
    }

    @Test
    void aPlainResumeBringsNothing() {
        keeper.put("one", "running");
        Terminal.CommandOutput resumed = terminal.type("resume", "one");
        assertThat(resumed.exitCode()).isZero();
        assertThat(resumed.out()).contains("  follow it with: loopkeeper watch one");
        assertThat(keeper.last(ResumeRun.class).request()).isEqualTo(ResumeRequest.PLAIN);
    }

    @Test
    void aRefusedResumeSaysWhatIsAllowedOrMissing() {
        keeper.paused("one");
        Map<String, Object> allowed = Map.of("allowedActions", List.of("continue"));
        refuse(new Refusal(RefusalCode.ACTION_NOT_ALLOWED, "that is not allowed", allowed));
        Terminal.CommandOutput result = terminal.type("resume", "one", "finish_loop");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("that is not allowed", "allowed: continue");
        Map<String, Object> missing = Map.of("missing", List.of("feedback"));
        refuse(new Refusal(RefusalCode.RESUME_PRECONDITION, "it would only fail again", missing));
        assertThat(terminal.type("resume", "one").err()).contains("missing: feedback");
        missing = Map.of("missing", List.of("waive names x, which is no gate"));
        refuse(new Refusal(RefusalCode.RESUME_PRECONDITION, "waive names x, which is no gate", missing));
        assertThat(terminal.type("resume", "one", "--waive", "x").err())
                .contains("waive names x, which is no gate")
                .doesNotContain("missing:");
    }

    @Test
    void aBadValueOfAResumeIsRefusedByItsField() {
        keeper.paused("one");
        Terminal.CommandOutput result = terminal.type("resume", "one", "--max-reject-rate", "7");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).startsWith("loopkeeper: stopConditions.maxRejectRate must be a number, 0.0 to 1.0");
    }

    @Test
    void aRefusedResumeNamesTheMissingOptions() throws Exception {
        ObjectNode run = keeper.ended("one", "stopped", "error_budget", "capacity");
        run.putArray("allowedActions").add("continue");
        run.set("needs", Json.MAPPER.readTree("""
                [{"field": "budget.costUsd", "type": "number", "text": "a cap above what is spent", "minimum": 3.34,
                  "present": 3, "actions": ["continue"]}]
                """));
        run.putObject("effects").put("continue", "launches dev");
        run.putObject("terminalExhaustion").put("reasonCode", "budget-exceeded").put("summary", "3.33 USD used");
        refuse(new Refusal(
                RefusalCode.RESUME_PRECONDITION,
                "the budget is spent; a resume requires budget: 3.33 USD used",
                Map.of("missing", List.of("budget"))));
        Terminal.CommandOutput result = terminal.type("resume", "one");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains(
                        "the budget is spent; a resume requires budget",
                        "needs --budget-usd N, at least $3.34 (now $3.00): a cap above what is spent",
                        "try: loopkeeper resume one --budget-usd 6")
                .doesNotContain("this resume continues it");
        assertThat(terminal.type("explain", "one").out())
                .contains("a resume launches dev", "resume one --budget-usd 6");
    }

    @Test
    void nodesAreListed() {
        Terminal.CommandOutput result = terminal.type("nodes");
        assertThat(result.out()).contains("local (this server)", "live", "no limit", keeper.url);
        assertThat(terminal.type("nodes", "--json").json().at("/nodes/0/state").asText())
                .isEqualTo("live");
        Terminal.CommandOutput unserved = new Terminal(folder.resolve("elsewhere")).type("nodes");
        assertThat(unserved.exitCode()).isEqualTo(7);
        assertThat(unserved.err()).contains("no server serves");
    }

    private void refuse(Refusal no) {
        keeper.refusal = question -> FakeKeeper.commands(question) ? Optional.of(no) : Optional.empty();
    }

    @Test
    void anUnknownActionIsRefusedWithTheAllowedOnes() {
        keeper.paused("one");
        Terminal.CommandOutput result = terminal.type("resume", "one", "dance");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("dance", "allowed: retry_iteration, continue");
    }

    @Test
    void waitExitsAsTheRunCameOut() {
        keeper.paused("p");
        keeper.ended("c", "completed", "stop", "success");
        keeper.ended("l", "stopped", "error_max_turns", "capacity");
        keeper.ended("o", "stopped", "error_operator_stop", "retryable");
        keeper.ended("f", "failed", "error_halted", "fatal");
        assertThat(terminal.type("wait", "p").exitCode()).isEqualTo(4);
        assertThat(terminal.type("wait", "c", "--json").json().path("status").asText())
                .isEqualTo("completed");
        assertThat(terminal.type("wait", "l").exitCode()).isEqualTo(3);
        assertThat(terminal.type("wait", "o").exitCode()).isEqualTo(6);
        assertThat(terminal.type("wait", "f").exitCode()).isEqualTo(1);
    }

    @Test
    void waitGivesUpInTime() {
        keeper.put("one", "running");
        Terminal.CommandOutput result = terminal.type("wait", "one", "--timeout", "300ms");
        assertThat(result.exitCode()).isEqualTo(124);
        assertThat(result.err()).contains("gave up waiting for one after 0.3s");
        keeper.paused("two");
        assertThat(terminal.type("wait", "two", "--for", "ended", "--timeout", "300ms")
                        .exitCode())
                .isEqualTo(124);
    }

    @Test
    void aManifestIsSubmittedWithWholePaths() throws Exception {
        Files.writeString(folder.resolve("dev.sh"), "#!/bin/sh\n");
        assertThat(folder.resolve("dev.sh").toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("dev.md"), "do it");
        Path manifest = folder.resolve("m.yaml");
        Files.writeString(
                manifest,
                "name: x\nagents: {dev: {command: [./dev.sh, -v], prompt: dev.md}}\nphases: [{name: p, task: dev}]\n");
        Terminal.CommandOutput result = terminal.type("submit", manifest.toString(), "--run-id", "mine", "--hold");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("mine is running", "start it with: loopkeeper resume mine");
        StartRun start = keeper.last(StartRun.class);
        assertThat(start.start()).isFalse();
        var dev = start.document().path("agents").path("dev");
        assertThat(dev.path("prompt").asText())
                .isEqualTo(folder.resolve("dev.md").toString());
        assertThat(dev.path("command").path(0).asText())
                .isEqualTo(folder.resolve("dev.sh").toString());
        assertThat(start.workspace()).isEqualTo(folder.toRealPath().toString());
        assertThat(start.file())
                .contains(new ManifestFile(manifest.toString(), Sha256.hex(Files.readAllBytes(manifest))));
    }

    /** A program that only the server had was refused. */
    @Test
    void theProgramsOfASubmittedManifestAreLeftToTheServer() throws Exception {
        terminal.environment.put("PATH", folder.toString());
        Path manifest = folder.resolve("m.yaml");
        Files.writeString(manifest, "name: x\nagents: {dev: {command: [sh]}}\nphases: [{name: p, task: dev}]\n");
        assertThat(terminal.type("submit", manifest.toString()).err()).doesNotContain("no program");
        assertThat(keeper.last(StartRun.class).document().path("name").asText()).isEqualTo("x");
    }

    @Test
    void anInvalidManifestIsNotSubmitted() throws Exception {
        Path manifest = Files.writeString(folder.resolve("m.yaml"), "nam: x\n");
        assertThat(terminal.type("submit", manifest.toString()).exitCode()).isEqualTo(2);
        assertThat(keeper.nothingWasDone()).isTrue();
    }

    @Test
    void aServerMayBeNamed() {
        keeper.put("one", "running");
        Terminal elsewhere = new Terminal(folder.resolve("elsewhere"));
        assertThat(elsewhere.type("show", "one", "--server", keeper.url + "/").exitCode())
                .isZero();
        Terminal.CommandOutput unserved = elsewhere.type("show", "one", "--server", "http://127.0.0.1:1");
        assertThat(unserved.exitCode()).isEqualTo(7);
        assertThat(unserved.err()).contains("no server answers at http://127.0.0.1:1");
    }
}
