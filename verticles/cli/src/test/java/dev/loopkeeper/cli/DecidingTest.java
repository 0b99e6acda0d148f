package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that are held back, and what lets them continue, as a person at a terminal meets it. */
class DecidingTest {
    @TempDir
    private Path folder;

    @Test
    void aRaisedThresholdContinuesRejectedItems() throws Exception {
        manifest("""
                name: frames
                agents: {audit: {command: ./audit.sh, signal: .loopkeeper/audit.json}}
                phases:
                  - name: frames
                    each:
                      items: [{id: f1}, {id: f2}, {id: f3}, {id: f4}, {id: f5}, {id: f6}, {id: f7}, {id: f8}]
                      steps: [audit]
                      maxAttempts: 2
                retry: {stopConditions: {maxRetryRate: 0, maxConsecutiveFails: 0}}
                """);
        script("audit.sh", """
                echo $LOOPKEEPER_ITEM >> log
                verdict=approved
                case $LOOPKEEPER_ITEM$LOOPKEEPER_EXECUTION in f2?|f31) verdict=rejected ;; esac
                echo "{\\"verdict\\": \\"$verdict\\"}" > "$LOOPKEEPER_SIGNAL_FILE"
                """);
        assertThat(run("frames").exitCode()).isEqualTo(3);
        JsonNode halted = show("frames");
        assertThat(halted.at("/status").asText()).isEqualTo("stopped");
        assertThat(halted.at("/termination/subtype").asText()).isEqualTo("error_stop_condition");
        assertThat(halted.at("/stopReason/condition").asText()).isEqualTo("REJECT_RATE");
        assertThat(halted.at("/stopReason/value").asDouble()).isGreaterThan(0.6);
        assertThat(halted.at("/statistics/itemsTotal").asInt()).isEqualTo(8);
        assertThat(halted.at("/statistics/itemsAttempted").asInt()).isEqualTo(3);
        assertThat(halted.at("/position/item").asText()).isEqualTo("f3");
        assertThat(halted.at("/resumeFrom/item").asText()).isEqualTo("f4");
        assertThat(lines("log")).containsExactly("f1", "f2", "f2", "f3", "f3");

        assertThat(resume("frames").err()).contains("a raised threshold or resetStatistics");
        assertThat(resume("frames", "--max-reject-rate", "0.9").exitCode()).isEqualTo(3);
        JsonNode over = show("frames");
        assertThat(over.at("/termination/reasonCode").asText()).isEqualTo("max-retries-exhausted");
        assertThat(over.at("/statistics/itemsApproved").asInt()).isEqualTo(6);
        assertThat(lines("log").subList(5, 10)).containsExactly("f4", "f5", "f6", "f7", "f8");
    }

    @Test
    void aGateThatWasFixedPassesWithoutRedoingWhatCameBefore() throws Exception {
        manifest("""
                name: release
                agents: {build: {command: echo build >> log}, check: {command: ./check.sh}}
                phases:
                  - {name: build, task: build}
                  - {name: verify, gate: check, retries: 0}
                  - {name: document, task: build}
                """);
        script("check.sh", "echo check >> log; test -e fixed\n");
        assertThat(run("release").exitCode()).isEqualTo(1);
        JsonNode failed = show("release");
        assertThat(failed.at("/status").asText()).isEqualTo("failed");
        assertThat(failed.at("/terminalExhaustion/reasonCode").asText()).isEqualTo("gate-hard-fail");
        assertThat(failed.at("/resumeFrom/phase").asText()).isEqualTo("verify");

        Files.createFile(folder.resolve("fixed"));
        assertThat(resume("release").exitCode()).isZero();
        assertThat(lines("log")).containsExactly("build", "check", "check", "build");
        JsonNode completed = show("release");
        assertThat(completed.at("/status").asText()).isEqualTo("completed");
        assertThat(completed.at("/terminalExhaustion").isNull()).isTrue();
        assertThat(completed.at("/terminalExhaustionHistory")).hasSize(1);
        assertThat(completed.at("/terminalExhaustionHistory/0/reasonCode").asText())
                .isEqualTo("gate-hard-fail");
        assertThat(completed.at("/terminalExhaustionHistory/0/clearedBy").asText())
                .isEqualTo("verify.check.2");
    }

    @Test
    void aLoopAtItsLimitNeedsAHigherOne() throws Exception {
        manifest("""
                name: polish
                agents: {dev: {command: ./dev.sh, signal: .loopkeeper/dev.json}}
                phases: [{name: polish, loop: {steps: [dev], maxIterations: 2}}]
                """);
        script("dev.sh", """
                echo $LOOPKEEPER_ITERATION >> log
                determination=PROGRESS
                [ $LOOPKEEPER_ITERATION -ge 4 ] && determination=SUCCESS
                echo "{\\"determination\\": \\"$determination\\"}" > "$LOOPKEEPER_SIGNAL_FILE"
                """);
        assertThat(run("polish").exitCode()).isEqualTo(3);
        assertThat(show("polish").at("/termination/reasonCode").asText()).isEqualTo("convergence-limit");

        JsonNode before = show("polish");
        assertThat(before.at("/position/iteration").asInt()).isEqualTo(2);
        assertThat(before.at("/resumeFrom/iteration").asInt()).isEqualTo(3);
        assertThat(before.at("/usage/costUsd").isNull()).isTrue();
        assertThat(before.at("/usage/costKnown").asBoolean()).isFalse();
        Terminal.CommandOutput refused = resume("polish");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err())
                .contains(
                        "a resume requires maxIterations above 2, or feedback",
                        "needs --max-iterations N, at least 3 (now 2): ",
                        "; or --feedback TEXT: ",
                        "try: loopkeeper resume polish --max-iterations 4");
        assertThat(show("polish")).isEqualTo(before);
        assertThat(type("explain", "polish").out())
                .contains(
                        "a resume needs --max-iterations N, at least 3 (now 2): ",
                        "; or --feedback TEXT: ",
                        "iteration 2 of polish: PROGRESS",
                        "error_max_turns");

        assertThat(resume("polish", "--max-iterations", "5").exitCode()).isZero();
        assertThat(lines("log")).containsExactly("1", "2", "3", "4");
        assertThat(show("polish").at("/executions")).hasSize(2);
    }

    @Test
    void anAgentMayEndARunForAReasonOfTheManifest() throws Exception {
        manifest("""
                name: licensed
                agents: {dev: {command: ./dev.sh, signal: .loopkeeper/dev.json}}
                phases: [{name: work, task: dev}]
                reasons: [{code: licence-expired, category: fatal, advice: Renew the licence.}]
                """);
        script("dev.sh", """
                echo '{"terminal": {"reasonCode": "licence-expired", "summary": "since May", "taskId": "T7"}}' \\
                    > "$LOOPKEEPER_SIGNAL_FILE"
                """);
        assertThat(run("licensed").exitCode()).isEqualTo(1);
        JsonNode failed = show("licensed");
        assertThat(failed.at("/status").asText()).isEqualTo("failed");
        assertThat(failed.at("/termination/reasonCode").asText()).isEqualTo("licence-expired");
        assertThat(failed.at("/termination/category").asText()).isEqualTo("fatal");
        assertThat(failed.at("/terminalExhaustion/taskId").asText()).isEqualTo("T7");
        assertThat(failed.at("/terminalExhaustion/summary").asText()).isEqualTo("since May");
    }

    private void manifest(String text) throws IOException {
        Files.writeString(folder.resolve("manifest.yaml"), text);
    }

    private void script(String name, String body) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + body);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(folder.resolve(name));
    }

    private Terminal.CommandOutput run(String runId) {
        return type("run", folder.resolve("manifest.yaml").toString(), "--run-id", runId);
    }

    private Terminal.CommandOutput resume(String runId, String... options) {
        List<String> words = new ArrayList<>(List.of("resume", runId));
        words.addAll(List.of(options));
        return type(words.toArray(new String[0]));
    }

    private JsonNode show(String runId) {
        return type("show", runId, "--json").json();
    }

    private Terminal.CommandOutput type(String... words) {
        return new Terminal(folder.resolve("data")).type(words);
    }
}
