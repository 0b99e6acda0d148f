package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.session.FakeKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A policy is a file that is applied to a data folder or to its server. */
class PolicyCommandsTest {
    private static final String POLICY = """
            # one subscription
            pools:
              claude-max: {places: 3, programs: [claude]}
            caps:
              - {name: night, costUsd: 40.50, tokens: 5000000, per: day, zone: Europe/Berlin, match: {name: "fix-*"}}
            prices:
              - {model: "gpt-5*", inputPerMTok: 1.25, outputPerMTok: 10, asOf: 2026-11-01}
            schedules:
              - {name: nightly, cron: "0 2 * * 1-5", manifest: /srv/p/loopkeeper.yaml, vars: {shot: 007}}
            """;

    @TempDir
    private Path folder;

    private Terminal terminal;
    private Path file;

    @BeforeEach
    void open() throws IOException {
        terminal = new Terminal(folder.resolve("data"));
        file = write("policy.yaml", POLICY);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private Terminal.CommandOutput apply(Path policy, String... options) {
        String[] words = new String[options.length + 2];
        words[0] = "apply";
        words[1] = policy.toString();
        System.arraycopy(options, 0, words, 2, options.length);
        Terminal.CommandOutput result = terminal.type(words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result;
    }

    private void assertThatAFileIsAppliedAndPrinted() throws IOException {
        assertThat(apply(file, "--dry-run").out()).contains("added pool claude-max", "nothing was changed");
        assertThat(terminal.type("policy", "--json").json()).isEmpty();

        assertThat(apply(file).out()).isEqualTo("""
                        added pool claude-max
                        added cap night
                        added price gpt-5*
                        added schedule nightly
                        the policy has version 1 now
                        """);
        assertThat(apply(file)).satisfies(result -> {
            assertThat(result.out()).isEqualTo("nothing to change; the policy has version 1\n");
            assertThat(result.err()).isEmpty();
        });
        JsonNode caps = terminal.type("caps", "--json").json();
        assertThat(caps.path("caps")).singleElement().satisfies(cap -> {
            assertThat(cap.path("name").asText()).isEqualTo("night");
            assertThat(cap.path("tokens").path("spent").asInt(-1)).isZero();
            assertThat(cap.path("costUsd").path("estimated").asInt(-1)).isZero();
            assertThat(cap.path("waitingRuns").asInt(-1)).isZero();
        });
        assertThat(terminal.type("caps").out()).contains("CAP", "night", "$0.00 of $40.50");
        Path printed = write("printed.yaml", terminal.type("policy").out());
        assertThat(apply(printed, "--json").json().path("version").asInt()).isEqualTo(1);

        JsonNode changes = apply(write("less.yaml", "pools: {claude-max: {places: 4}, codex: {}}"), "--json")
                .json();
        assertThat(changes).hasToString("""
                {"added":["pool codex"],"changed":["pool claude-max"],\
                "removed":["cap night","price gpt-5*","schedule nightly"],"dryRun":false,"version":2}""");
        assertThat(apply(write("none.yaml", ""))).satisfies(result -> {
            assertThat(result.out()).contains("removed pool codex");
            assertThat(result.err()).isEmpty();
        });
    }

    @Test
    void aFileIsAppliedToADataFolder() throws IOException {
        assertThatAFileIsAppliedAndPrinted();
    }

    @Test
    void aFileIsAppliedToTheServerOfADataFolder() throws IOException {
        try (FakeKeeper server = new FakeKeeper(folder.resolve("data"))) {
            assertThat(server.url).isNotEmpty();
            assertThatAFileIsAppliedAndPrinted();
        }
    }

    @Test
    void aWrongFileChangesNothingAndNamesEachPosition() throws IOException {
        apply(file);
        Path wrong = write("wrong.yaml", "pools:\n  claude-max: {place: 3}\ncaps: [{name: a, per: day}]\n");

        Terminal.CommandOutput result = terminal.type("apply", wrong.toString());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains(
                        wrong + " has 2 problems",
                        wrong + ":2:16: pools.claude-max.place: unknown key \"place\"",
                        "(did you mean places?)",
                        "nothing was changed");
        assertThat(terminal.type("apply", folder.resolve("absent.yaml").toString())
                        .exitCode())
                .isEqualTo(2);
        assertThat(terminal.type("policy", "--json")
                        .json()
                        .at("/pools/claude-max/places")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void aPoolThatThePolicyOfTheFolderDoesNotHaveIsRefused() throws IOException {
        Path manifest = write(
                "m.yaml", "name: x\nagents: {a: {command: 'true', pool: claude-mx}}\nphases: [{name: p, task: a}]\n");
        assertThat(terminal.type("validate", manifest.toString()).err()).contains("has no pool \"claude-mx\"");
        apply(file);

        Terminal.CommandOutput result = terminal.type("run", manifest.toString());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains(":2:", "agents.a.pool", "(did you mean claude-max?)", "nothing was started");
    }

    @Test
    void anEstimatedCostCountsForTheBudget() throws IOException {
        Files.writeString(
                folder.resolve("said.jsonl"),
                "{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":1000000,\"cached_input_tokens\":0,\"output_tokens\":0}}\n");
        Path manifest = write(
                "m.yaml",
                "name: x\nagents: {a: {command: 'cat said.jsonl # -m gpt-5', output: codex}}\n"
                        + "phases: [{name: p, loop: {steps: [a], maxIterations: 2, noProgress: 0}}]\nbudget: {costUsd: 1}\n");
        apply(file);

        Terminal.CommandOutput result = terminal.type("run", manifest.toString(), "--run-id", "r");

        assertThat(result.exitCode()).as(result.err()).isEqualTo(3);
        JsonNode run = terminal.type("show", "r", "--json").json();
        assertThat(run.at("/usage/costUsd").asDouble()).isEqualTo(1.25);
        assertThat(run.at("/usage/estimated").asBoolean()).isTrue();
        assertThat(run.at("/usage/costKnown").asBoolean()).isTrue();
        assertThat(run.at("/termination/reasonCode").asText()).isEqualTo("budget-exceeded");
        assertThat(terminal.type("show", "r").out()).contains("≈$1.25");
        assertThat(terminal.type("show", "r", "p.1.a.1", "--json")
                        .json()
                        .at("/result/estimated")
                        .asBoolean())
                .isTrue();
    }
}
