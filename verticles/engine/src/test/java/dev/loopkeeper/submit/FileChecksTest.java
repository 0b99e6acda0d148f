package dev.loopkeeper.submit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileChecksTest extends SubmitFixture {
    private void acceptedCommand(String command) {
        assertThat(accepted(submit(manifest(MANIFEST.replace("[./agent.sh]", command)), SubmitOptions.NONE)))
                .isNotNull();
    }

    @Test
    void aPromptIsAFile() throws IOException {
        Files.createDirectories(project.resolve("prompts"));

        assertThat(refusedAgent("prompt: dev.md"))
                .containsExactly("agents.dev.prompt: there is no file " + project.resolve("dev.md"));
        assertThat(refusedAgent("prompt: prompts"))
                .containsExactly("agents.dev.prompt: " + project.resolve("prompts") + " is not a readable file");
    }

    @Test
    void aPromptThatHoldsTheTextThatEndsItsLoopIsAWarningForPlainText() throws IOException {
        Files.writeString(project.resolve("dev.md"), "Print ALL DONE when nothing is left.\n");
        String text = MANIFEST.replace("[./agent.sh]", "[./agent.sh], timeout: 1m, prompt: dev.md")
                .replace("steps: [dev]", "steps: [{agent: dev, every: 1}], until: {output: ALL DONE}");

        assertThat(accepted(submit(manifest(text), SubmitOptions.NONE)).warnings())
                .singleElement()
                .satisfies(warning -> {
                    assertThat(warning.path()).isEqualTo("phases[0].loop.until.output");
                    assertThat(warning.message()).startsWith("is also in dev.md, the prompt of dev");
                    assertThat(warning.position().mark()).isPresent();
                });
        assertThat(accepted(submit(
                                manifest(text.replace("prompt:", "output: claude-code, prompt:")), SubmitOptions.NONE))
                        .warnings())
                .isEmpty();
        assertThat(accepted(submit(manifest(text.replace("ALL DONE", "NEVER")), SubmitOptions.NONE))
                        .warnings())
                .isEmpty();
    }

    @Test
    void whatNoProgramCanBeStartedWithIsRefused() {
        String large = "x".repeat(140_000);
        assertThat(refusedAgent("env: {LARGE: " + large + "}"))
                .singleElement()
                .asString()
                .startsWith(
                        "agents.dev.env.LARGE: has 140006 bytes; an argument or environment variable can have at most 131056");
        assertThat(refusedCommand("[./agent.sh, " + large + "]"))
                .singleElement()
                .asString()
                .startsWith("agents.dev.command[1]: has 140000 bytes");
        assertThat(refused(submit(manifest("env: {LARGE: " + large + "}\n" + MANIFEST), SubmitOptions.NONE)))
                .singleElement()
                .asString()
                .startsWith("env.LARGE: has 140006 bytes");

        StringBuilder many = new StringBuilder("env: {");
        for (int index = 0; index < 20; index++) {
            many.append("V")
                    .append(index)
                    .append(": ")
                    .append("\u4e2d".repeat(40_000))
                    .append(", ");
        }
        assertThat(refusedAgent(many + "}"))
                .singleElement()
                .asString()
                .startsWith("agents.dev.env: the command and its whole environment have 2400");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "a/../../x", "/etc", "escape", "escape/x", "inner/../escape/x", "nope/../escape/x"})
    void folderAndSignalStayInsideTheWorkspace(String path) throws IOException {
        Path outside = Files.createDirectories(temporary.resolve("outside"));
        Files.createDirectories(project.resolve("inner"));
        Files.createSymbolicLink(project.resolve("escape"), outside);

        assertThat(refusedAgent("cwd: " + path))
                .singleElement()
                .asString()
                .contains("agents.dev.cwd: " + path + " is outside the workspace");
        assertThat(refusedAgent("signal: " + path))
                .singleElement()
                .asString()
                .contains("agents.dev.signal: " + path + " is outside the workspace");
    }

    @Test
    void aLinkThatLeadsNowhereIsRefused() throws IOException {
        Files.createSymbolicLink(project.resolve("dangling"), temporary.resolve("not-there"));

        assertThat(refusedAgent("signal: dangling"))
                .singleElement()
                .asString()
                .contains("contains a symbolic link that cannot be resolved");
    }

    @Test
    void anAbsolutePathInsideIsFine() {
        acceptedCommand("[./agent.sh], signal: " + project.resolve("s.json") + ", cwd: " + project);
    }

    @Test
    void aFolderIsThereOrItsParentIs() throws IOException {
        assertThat(refusedAgent("cwd: a/b")).singleElement().asString().contains("there is no folder");
        assertThat(refusedAgent("cwd: agent.sh")).singleElement().asString().contains("there is no folder");
        assertThat(refusedAgent("signal: .")).singleElement().asString().contains("names a folder");
        Files.createDirectories(project.resolve(".loopkeeper"));
        assertThat(refusedAgent("signal: .loopkeeper"))
                .singleElement()
                .asString()
                .contains("names a folder");
        assertThat(refusedAgent("signal: ''")).singleElement().asString().contains("expected text, found none");
        Files.createDirectory(project.resolve("work-folder"));
        assertThat(refusedAgent("signal: work-folder"))
                .singleElement()
                .asString()
                .contains("found the folder");
        acceptedCommand("[./agent.sh], cwd: new");
    }

    @Test
    void aProgramOfAListIsFoundInBothFoldersOrOnThePath() throws IOException {
        executable(project.resolve("work/tool.sh"));

        acceptedCommand("[sh, -c, x]");
        acceptedCommand("[/bin/sh]");
        acceptedCommand("[./tool.sh], cwd: work");
        acceptedCommand("[agent.sh], env: {PATH: " + project + "}");
        acceptedCommand("[tool.sh], cwd: work, env: {PATH: ''}");
    }

    @Test
    void aProgramThatIsNotThereIsRefused() throws IOException {
        Files.writeString(project.resolve("plain.txt"), "");

        assertThat(refusedCommand("[no-such-program-here]"))
                .containsExactly("agents.dev.command: there is no program no-such-program-here on the PATH of user "
                        + System.getProperty("user.name") + ", who runs the agents; install it or give its path");
        assertThat(refusedCommand("[./none.sh]"))
                .containsExactly("agents.dev.command: there is no program ./none.sh in " + project);
        assertThat(refusedCommand("[./plain.txt]"))
                .containsExactly(
                        "agents.dev.command: " + project.resolve("plain.txt") + " is not executable; try chmod +x");
        assertThat(refusedCommand("[sh], env: {PATH: /nowhere}")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exit 3",
                "'X=1 nothing'",
                "'\"no such\" x'",
                "$NOTHING",
                "'nothing; ls'",
                "(nothing)",
                "if",
                "'~/nothing'",
                "sh -c x",
                "./agent.sh",
                "'  ./agent.sh arg | nothing'",
                "\"# comment\\nnothing\""
            })
    void aShellTextPassesUnlessItSurelyNamesNoProgram(String command) {
        acceptedCommand(command);
    }

    @Test
    void aShellTextWithAMissingProgramIsRefused() throws IOException {
        Files.createDirectories(project.resolve("work"));

        assertThat(refusedCommand("no-such-program-here --flag")).hasSize(1);
        assertThat(refusedCommand("./none.sh")).hasSize(1);
        assertThat(refusedCommand("./agent.sh, cwd: work"))
                .containsExactly("agents.dev.command: there is no program ./agent.sh in " + project.resolve("work"));
    }

    @Test
    void commandsOfLoopsAndNotificationsAreCheckedToo() {
        String text = MANIFEST.replace("steps: [dev]", "steps: [dev], until: {command: ./done.sh}")
                + "notify: [{command: [no-such-program-here], events: [stop]}, {command: ['{{name}}'], events: [stop]}]\n";

        assertThat(refused(submit(manifest(text), SubmitOptions.NONE)))
                .extracting(line -> line.substring(0, line.indexOf(':')))
                .containsExactly("phases[0].loop.until.command", "notify[0].command");
    }

    @Test
    void hostilePathsAreRefusedNotThrown() {
        assertThat(refused(submitText(
                        "{\"name\": \"a\\u0000\", \"workspace\": \"\\u0000\", \"agents\": {\"dev\": {\"command\":"
                                + " [\"a/\\u0000\"], \"prompt\": \"\\u0000\", \"cwd\": \"\\u0000\"}}, \"phases\": []}",
                        SubmitOptions.NONE)))
                .isNotEmpty();
        assertThat(refused(submitText(
                        "{\"name\": \"a\", \"agents\": {\"dev\": {\"command\": [\"a/\\u0000\"], \"prompt\": \"\\u0000\","
                                + " \"cwd\": \"\\u0000\", \"signal\": \"\\u0000\"}}, \"phases\": [{\"name\": \"b\","
                                + " \"each\": {\"itemsFrom\": \"\\u0000\", \"steps\": [\"dev\"]}}]}",
                        workspace(project))))
                .hasSizeGreaterThan(4);
    }
}
