package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class UsageTest {
    @TempDir
    Path folder;

    private Terminal terminal() {
        return new Terminal(folder.resolve("data"));
    }

    @Test
    void helpPrintsWhatTheOptionPrints() {
        for (String subcommand : List.of("show", "serve", "help", "complete-words")) {
            Terminal.CommandOutput result = terminal().type("help", subcommand);
            assertThat(result.exitCode()).isZero();
            assertThat(result.out())
                    .isEqualTo(terminal().type(subcommand, "--help").out());
        }
        Terminal.CommandOutput all = terminal().type("help");
        assertThat(all.exitCode()).isZero();
        assertThat(all.out()).isEqualTo(terminal().type("--help").out()).contains("Operate", "terminations", "help");
        assertThat(all.err()).isEmpty();
    }

    @Test
    void helpOfAnUnknownCommandIsAnsweredWithTheNearestOne() {
        Terminal.CommandOutput result = terminal().type("help", "shwo");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("there is no command 'shwo'", "did you mean show?", "try: loopkeeper --help");
        assertThat(terminal().type("help", "show", "runs").exitCode()).isEqualTo(2);
    }

    @Test
    void anUnknownCommandIsAnsweredWithTheNearestOne() {
        Terminal.CommandOutput result = terminal().type("runz");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("runz").contains("did you mean").contains("runs");
        assertThat(result.out()).isEmpty();
        assertThat(terminal().type("frobnicate").err()).contains("frobnicate").doesNotContain("did you mean");
        assertThat(terminal().type("rnu").err()).contains("did you mean run");
        assertThat(terminal().type("lgos").err()).contains("did you mean logs?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "show",
                "run",
                "runs --limit many",
                "runs --limit 0",
                "wait r --timeout soon",
                "wait r --for lunch",
                "runs --limit \u0663 | --limit: '\u0663' is not a whole number",
                "resume r --budget-usd much",
                "serve --port 70000",
                "serve --max-runs 0",
                "logs r --stream both",
                "run m.yaml --run-id ../up",
                "runs --server ftp://x",
                "stop r --timeout 2h"
            })
    void badUsageIsOneMessageAndStartsNothing(String line) {
        Terminal.CommandOutput result = terminal().type(line.split(" "));
        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err())
                .startsWith("loopkeeper: ")
                .doesNotContain("Exception")
                .doesNotContain("\tat ");
        assertThat(result.out()).isEmpty();
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shwo r | there is no command 'shwo'",
                "show r s more | show does not accept the argument 'more'",
                "validate -m.yaml | validate has no option -m.yaml; put -- before an argument that begins with a dash",
                "runs --limit many | --limit: 'many' is not a whole number",
                "runs --limit 99999999999 | --limit: '99999999999' is not a whole number, or too large",
                "resume r --budget-usd much | --budget-usd: 'much' is not a number such as 2.5",
                "resume r --budget-usd NaN | --budget-usd: 'NaN' is not a number such as 2.5",
                "run m.yaml --set budget | --set must be PATH=VALUE, was 'budget'",
                "run m.yaml --var a | --var must be NAME=VALUE, was 'a'",
                "wait r --timeout soon | such as 1500ms, 30s, 10m or 2h, was 'soon'",
                "prune --older-than 3 | such as 30d, 12h or 90m, was '3'"
            })
    void reportsAWrongValueWithItsOptionAndTheValidOnes(String line, String text) {
        Terminal.CommandOutput result = terminal().type(line.split(" "));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains(text);
    }

    @Test
    void aFileIsNoDataFolder() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");
        Terminal.CommandOutput result = terminal().plain("runs", "--data", file.toString());
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains(file + " is a file, not a folder; name another with --data");
        assertThat(terminal().plain("runs", "--data", "").err()).contains("--data must be a folder, was empty");
    }

    @Test
    void anUnreadableDataFolderIsNotTreatedAsEmpty() throws Exception {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, Set.of());
        try {
            assumeFalse(Files.isReadable(closed), "the superuser may read everything");
            for (Path hidden : List.of(closed, closed.resolve("below"))) {
                Terminal.CommandOutput result = terminal().plain("runs", "--data", hidden.toString());
                assertThat(result.exitCode()).isEqualTo(2);
                assertThat(result.err()).contains(hidden + " cannot be read by this user; run this as its owner");
            }
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void namesInAMessageCannotActOnATerminal() {
        Terminal.CommandOutput result = terminal().type("run", "a\u001b[2Jb\u202e.yaml");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("ab.yaml").doesNotContain("\u001b", "\u202e");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "validate", "submit"})
    void withoutAManifestThatOfThisFolderIsMeant(String subcommand) {
        Terminal.CommandOutput result = terminal().type(subcommand);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("there is no loopkeeper.yaml in this folder");
    }

    @Test
    void helpAndVersionAreFacts() {
        assertThat(terminal().type("--help").out()).contains("Operate", "terminations", "resume");
        assertThat(terminal().type("resume", "--help").out()).contains("--max-iterations", "--data", "ACTION");
        assertThat(terminal().type("--version").out()).startsWith("loopkeeper ");
        assertThat(terminal().type("--version").exitCode()).isZero();
    }

    @Test
    void withoutACommandTheHelpIsPrinted() {
        Terminal.CommandOutput result = terminal().type();
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isEqualTo(terminal().type("--help").out());
    }

    /** A line that breaks within a sentence is broken again on a narrower terminal. */
    @Test
    void eachLineOfAHelpsFooterEndsASentenceOrAClause() {
        ByteArrayOutputStream none = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(none, true, StandardCharsets.UTF_8);
        CommandLine program = new CommandRunner(terminal().console(out, out), EmbeddedRoot::start).commandLine();
        program.getSubcommands().values().forEach(command -> {
            List<String> footer =
                    List.of(command.getCommandSpec().usageMessage().footer());
            footer.stream()
                    .limit(Math.max(0, footer.size() - 1))
                    .filter(line -> !line.isEmpty())
                    .forEach(line ->
                            assertThat(line).as(command.getCommandName()).matches(".*[.,:;]"));
        });
    }

    @Test
    void theHelpIsGroupedWithAnExampleForEachGroup() {
        String help = terminal().type("--help").out();
        assertThat(help.lines().filter(line -> line.contains(", e.g. ")))
                .containsExactly(
                        "Run, e.g. loopkeeper init --agent claude-code && loopkeeper run",
                        "Look, e.g. loopkeeper explain -",
                        "Act, e.g. loopkeeper resume - continue --feedback 'use port 8080'",
                        "Operate, e.g. loopkeeper serve --port 7420 --max-runs 4",
                        "More, e.g. loopkeeper help run");
        assertThat(help)
                .contains("\n  run           Run a manifest in the foreground")
                .doesNotContain("complete-words");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "init --agent gemni          | did you mean gemini?",
                "init --example paralel-items | did you mean parallel-items?",
                "run loopkeper.yaml          | did you mean loopkeeper.yaml?",
                "validate loopkeeper         | did you mean loopkeeper.yaml?",
                "run two-model               | did you mean the example two-models? init --example two-models writes it"
            })
    void aMistypedAgentExampleOrFileIsAnsweredWithTheNearestOne(String line, String text) throws Exception {
        Files.writeString(folder.resolve("loopkeeper.yaml"), "name: x");
        String[] words = line.split(" ");
        if (!words[0].equals("init")) {
            words[1] = folder.resolve(words[1]).toString();
        }
        Terminal.CommandOutput result = terminal().type(words);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err().replace(folder + "/", "")).contains(text);
    }

    @Test
    void acceptsTheDataFolderAsOptionAndFromTheEnvironment() {
        String before = folder.resolve("before").toString();
        Terminal terminal = terminal();
        terminal.environment.put(
                "LOOPKEEPER_DATA", folder.resolve("environment").toString());
        assertThat(terminal.plain("--data", before, "show", "r").err()).contains(before);
        assertThat(terminal.plain("show", "r", "--data", before).err()).contains(before);
        assertThat(terminal.plain("show", "r").err())
                .contains(folder.resolve("environment").toString());
    }

    @Test
    void flagsMayComeFromTheEnvironment() {
        Terminal terminal = terminal();
        terminal.environment.put("LOOPKEEPER_JSON", "1");
        assertThat(terminal.type("terminations").json().path("terminations")).hasSize(24);
        terminal.environment.put("LOOPKEEPER_JSON", "perhaps");
        assertThat(terminal.type("terminations").exitCode()).isEqualTo(2);
    }

    @Test
    void aFlagThatIsTypedIsOnWhateverTheEnvironmentSays() {
        Terminal terminal = terminal();
        for (String set : List.of("1", "true", "0", "false")) {
            terminal.environment.put("LOOPKEEPER_JSON", set);
            assertThat(terminal.type("terminations", "--json").json().path("terminations"))
                    .as(set)
                    .hasSize(24);
        }
    }

    @Test
    void whatAnAgentFindsInItsEnvironmentSetsNoOption() {
        Terminal terminal = terminal();
        terminal.environment.put("LOOPKEEPER_RUN_ID", "../not-valid");
        // A run id that is not valid would be refused before the manifest is read.
        assertThat(terminal.type("run", folder.resolve("none.yaml").toString()).err())
                .contains("there is no file");
    }

    @Test
    void terminationsAreTheWholeTable() {
        Terminal.CommandOutput result = terminal().type("terminations");
        assertThat(result.out().lines()).hasSize(25);
        assertThat(result.out()).contains("error_max_turns", "convergence-limit", "higher maxIterations, or feedback");
        assertThat(terminal()
                        .type("terminations", "--json")
                        .json()
                        .path("terminations")
                        .path(2)
                        .toString())
                .isEqualTo("{\"subtype\":\"error_max_turns\",\"reasonCode\":\"convergence-limit\","
                        + "\"category\":\"capacity\",\"status\":\"stopped\",\"exitCode\":3,"
                        + "\"resumeNeeds\":\"higher maxIterations, or feedback\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    void completionKnowsEveryCommandAndOption(String shell) {
        Terminal.CommandOutput result = terminal().type("completion", shell);
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("terminations", "max-iterations", "loopkeeper");
        assertThat(terminal().type("completion").out()).startsWith("#!/usr/bin/env bash");
    }

    @Test
    void aShellWithoutCompletionIsRefused() {
        Terminal.CommandOutput result = terminal().type("completion", "tcsh");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("'tcsh'", "bash, zsh");
    }

    @Test
    void theDoctorChecksThisMachine() {
        Terminal.CommandOutput result = terminal().type("doctor", "--json");
        assertThat(result.json().path("checks"))
                .hasSizeGreaterThan(5)
                .allMatch(check -> check.path("holds").asBoolean() || check.has("remedy"));
        assertThat(result.json().path("agents").isArray()).isTrue();
        assertThat(result.exitCode()).isZero();
        assertThat(folder.resolve("data")).doesNotExist();
        assertThat(result.json().path("checks").findValuesAsText("found"))
                .as("proved by a trial")
                .anyMatch(found -> found.contains("processes that ignored TERM"));
    }

    @Test
    void anUnknownLogLevelOrFormatIsRefused() {
        Terminal terminal = terminal();
        terminal.environment.put("LOOPKEEPER_LOG_LEVEL", "LOUD");
        assertThat(terminal.type("terminations").exitCode()).isEqualTo(2);
        Terminal.CommandOutput result = terminal().type("terminations", "--log-format", "xml");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("--log-format must be one of text, json, was 'xml'");
    }

    @Test
    void validateReportsEveryProblemWithItsPath() throws Exception {
        Path manifest = folder.resolve("m.yaml");
        Files.writeString(manifest, """
                name: x
                agents: {dev: {command: [no-such-program-here], promt: x}}
                phases: [{name: p, task: deb}]
                """);
        Terminal.CommandOutput result = terminal().type("validate", manifest.toString());
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains("m.yaml has 3 problems")
                .contains("did you mean prompt?")
                .contains("did you mean dev?")
                .contains("no-such-program-here");
        var errors = terminal().type("validate", manifest.toString(), "--json").json();
        assertThat(errors.path("valid").asBoolean()).isFalse();
        assertThat(errors.path("errors")).hasSize(3);
    }

    @Test
    void aBadManifestIsReportedByFileLineAndColumn() throws Exception {
        Path manifest = folder.resolve("m.yaml");
        Files.writeString(folder.resolve("items.json"), "[{\"id\": \"f1\"},\n {\"id\": \"f1\"}]");
        Files.writeString(manifest, """
                name: x
                agents: {dev: {command: ['true'], promt: x}}
                phases: [{name: p, each: {steps: [dev], itemsFrom: items.json}}]
                """);
        for (String subcommand : List.of("validate", "run", "submit")) {
            Terminal.CommandOutput result =
                    terminal().type(subcommand, manifest.toString(), "--set", "budget.costUsd=lots");
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err())
                    .contains("m.yaml has 3 problems\n")
                    .contains(manifest + ":2:35: agents.dev.promt: unknown key")
                    .contains(folder.resolve("items.json") + ":2:9: phases[0].each.items[1].id: the id \"f1\" is taken")
                    .contains("\n--set budget.costUsd: expected a number, found text");
        }
        JsonNode errors = terminal()
                .type("validate", manifest.toString(), "--set", "budget.costUsd=lots", "--json")
                .json()
                .path("errors");
        assertThat(errors.at("/0/line").asInt()).isEqualTo(2);
        assertThat(errors.at("/0/column").asInt()).isEqualTo(35);
        assertThat(errors.at("/1/source").asText()).isEqualTo("--set budget.costUsd");
        assertThat(errors.path(1).has("line")).isFalse();
        assertThat(errors.at("/2/source").asText())
                .isEqualTo(folder.resolve("items.json").toString());
    }

    @Test
    void aManifestThatIsNoYamlIsReportedByFileLineAndColumn() throws Exception {
        Path manifest = folder.resolve("m.yaml");
        Files.writeString(manifest, "name: x\nagents: a: b\n");
        assertThat(terminal().type("validate", manifest.toString()).err())
                .contains(manifest + " has 1 problem\n" + manifest + ":2:10: mapping values are not allowed here");
    }

    @Test
    void validateAppliesWhatIsSet() throws Exception {
        Path manifest = folder.resolve("m.yaml");
        Files.writeString(manifest, "name: x\nagents: {dev: {command: ['true']}}\nphases: [{name: p, task: dev}]\n");
        var said = terminal()
                .type("validate", manifest.toString(), "--set", "name=y", "--var", "a=b=c", "--json")
                .json();
        assertThat(said.path("manifest").path("name").asText()).isEqualTo("y");
        assertThat(said.path("manifest").path("vars").path("a").asText()).isEqualTo("b=c");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    /** In a checkout there is no loopkeeper on the path, and folders may have spaces in their names. */
    @Test
    void whatIsProposedIsTheProgramAsItWasCalled() {
        for (String[] words :
                new String[][] {{"runs", "--limit", "x"}, {"runs", "--server", "http://127.0.0.1:1"}, {"dance"}}) {
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            PrintStream messages = new PrintStream(err, true, StandardCharsets.UTF_8);
            Map<String, String> environment = Map.of("LOOPKEEPER_DATA", folder.toString());
            Console console = new Console(
                    messages, messages, environment, Optional.empty(), false, "./my loop/loopkeeper", Optional.empty());
            int unused = new CommandRunner(console, EmbeddedRoot::start).run(words);

            assertThat(err.toString(StandardCharsets.UTF_8))
                    .contains(": './my loop/loopkeeper' ")
                    .doesNotContain(": loopkeeper ");
        }
    }
}
