package dev.loopkeeper.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.loopkeeper.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InitTest {
    private static final Path EXAMPLES = Path.of("../../conf/examples");

    @TempDir
    Path folder;

    private Terminal terminal() {
        return new Terminal(folder.resolve("data"));
    }

    private static Set<String> filesOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(name -> !name.contains(".loopkeeper/"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void everyExampleCanBeBegunWith() throws IOException {
        Set<String> known = Arrays.stream(Starter.values())
                .flatMap(starter -> Stream.concat(Stream.of(starter.wire() + ".yaml"), starter.files().stream()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(known).isEqualTo(filesOf(EXAMPLES));
    }

    @Test
    void whatItWritesRuns() {
        Path project = folder.resolve("new project");
        Terminal.CommandOutput result = terminal().type("init", project.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .contains("wrote " + project.resolve("loopkeeper.yaml"), "run it:   loopkeeper run --data ");
        Terminal.CommandOutput ran =
                terminal().type("run", project.resolve("loopkeeper.yaml").toString());
        assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Starter.class)
    void itSaysWhatItWrote(Starter starter) throws IOException {
        Path project = folder.resolve("project");
        var said = terminal()
                .type("init", project.toString(), "--example", starter.wire(), "--json")
                .json();
        Set<String> named = new TreeSet<>();
        said.path("files")
                .forEach(file ->
                        named.add(project.relativize(Path.of(file.asText())).toString()));
        assertThat(named).isEqualTo(filesOf(project)).contains("loopkeeper.yaml");
        assertThat(said.path("manifest").asText())
                .isEqualTo(project.resolve("loopkeeper.yaml").toString());
        assertThat(project.resolve("loopkeeper.yaml"))
                .content()
                .contains("loopkeeper run loopkeeper.yaml")
                .doesNotContain("conf/examples");
    }

    @Test
    void anEditorFindsTheSchemaBesideTheManifest() throws IOException {
        assertThat(terminal().type("init", folder.toString()).exitCode()).isZero();
        assertThat(Files.readAllLines(folder.resolve("loopkeeper.yaml")).get(0))
                .isEqualTo("# yaml-language-server: $schema=loopkeeper.schema.json");
        assertThat(folder.resolve("loopkeeper.schema.json"))
                .hasSameTextualContentAs(EXAMPLES.resolveSibling("manifest.schema.json"));
        for (Starter starter : Starter.values()) {
            assertThat(Files.readAllLines(EXAMPLES.resolve(starter.wire() + ".yaml"))
                            .get(0))
                    .isEqualTo("# yaml-language-server: $schema=../manifest.schema.json");
        }
    }

    @Test
    void whatIsThereIsNeverChanged() throws IOException {
        Path mine = Files.createDirectories(folder.resolve("prompts")).resolve("judge.md");
        Files.writeString(mine, "mine");
        Terminal.CommandOutput result = terminal().type("init", folder.toString(), "--example", "codex");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains(mine + " exists already");
        assertThat(filesOf(folder)).containsExactly("prompts/judge.md");
        assertThat(mine).hasContent("mine");
    }

    @Test
    void aFolderThatCannotBeIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        Terminal.CommandOutput result =
                terminal().type("init", file.resolve("inside").toString());
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("nothing was written");
    }

    @Test
    void anUnknownExampleIsRefused() {
        Terminal.CommandOutput result = terminal().type("init", folder.toString(), "--example", "cobol");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("'cobol' is not one of improve-report, parallel-items, claude-code");
    }

    @ParameterizedTest
    @EnumSource(OwnProject.class)
    void aLoopForAProjectOfOnesOwnIsValidAndChecksWithItsCommand(OwnProject agent) throws IOException {
        Path project = folder.resolve("my shop (2)");
        Terminal terminal = terminalWithAgents();
        String check = "npm test -- --grep \"a: 'b' #c\"";
        Terminal.CommandOutput result = terminal.type(
                "init", project.toString(), "--agent", agent.wire(), "--check", check, "--task", "Sell {{books}}");
        assertThat(result.exitCode()).as(result.err()).isZero();
        String manifest = project.resolve("loopkeeper.yaml").toString();
        Terminal.CommandOutput valid = terminal.type("validate", manifest);
        assertThat(valid.exitCode()).as(valid.out() + valid.err()).isZero();
        assertThat(valid.err()).isEmpty();
        boolean confined = result.out().contains("sandbox of the agent: landlock");
        assertThat(result.out()).contains(confined ? "write, hide" : "sandbox of the agent: none, ");
        assertThat(valid.out().contains("sandbox landlock abi")).isEqualTo(confined);
        assertThat(Files.readString(Path.of(manifest)).contains("\n    sandbox: workspace"))
                .isEqualTo(confined);
        assertThat(Path.of(manifest)).content().contains("name: my-shop-2").doesNotContain("@");
        JsonNode read =
                new ObjectMapper(new YAMLFactory()).readTree(Path.of(manifest).toFile());
        assertThat(project.resolve("prompts/work.md")).content().startsWith("Sell \\{{books}}\n\nThe work is done");
        assertThat(read.at("/vars/check").textValue()).isEqualTo(check);
        assertThat(read.at("/phases/0/loop/until/command").textValue()).isEqualTo(check);
    }

    private Terminal terminalWithAgents() throws IOException {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        for (String program : List.of("claude", "codex", "gemini", "opencode")) {
            Path file = Files.writeString(programs.resolve(program), "#!/bin/sh\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        Terminal terminal = terminal();
        terminal.environment.put("PATH", programs + ":/usr/bin:/bin");
        return terminal;
    }

    @Test
    void aLoopWithoutATaskRequiresOne() throws IOException {
        Path project = folder.resolve("project");
        Terminal terminal = terminalWithAgents();
        Terminal.CommandOutput result = terminal.type("init", project.toString(), "--agent", "codex");
        assertThat(result.out())
                .endsWith("first, replace <describe the task here> by the task in " + project.resolve("prompts/work.md")
                        + "\n");
        Terminal.CommandOutput valid =
                terminal.type("validate", project.resolve("loopkeeper.yaml").toString());
        assertThat(valid.exitCode()).as(valid.err()).isZero();
        assertThat(valid.err()).contains("work.md still has <describe the task here>; replace it by the task");
        assertThat(terminal().type("init", folder.toString(), "--task", "x").err())
                .contains("--task belongs to --agent");
    }

    @Test
    void aCheckBelongsToAnAgentAndAnAgentIsNoExample() {
        assertThat(terminal().type("init", folder.toString(), "--check", "true").err())
                .contains("--check belongs to --agent");
        assertThat(terminal()
                        .type("init", folder.toString(), "--agent", "codex", "--example", "codex")
                        .err())
                .contains("exclude each other");
        assertThat(terminal()
                        .type("init", folder.toString(), "--agent", "codex", "--check", " ")
                        .err())
                .contains("one line");
        assertThat(terminal()
                        .type("init", folder.toString(), "--agent", "cobol")
                        .err())
                .contains("'cobol' is not one of claude-code, codex, gemini, opencode, in short claude");
    }

    @Test
    void anAgentMayBeNamedWithoutWhatStandsBehindItsHyphen() throws IOException {
        assertThat(terminal()
                        .type("init", folder.toString(), "--agent", "claude")
                        .exitCode())
                .isZero();
        assertThat(Files.readString(folder.resolve("loopkeeper.yaml"))).contains("output: claude-code");
    }
}
