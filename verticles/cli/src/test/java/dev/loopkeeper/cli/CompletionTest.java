package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.FakeKeeper;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.data.ServerAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The completion of a shell offers what only the program knows. */
class CompletionTest {
    @TempDir
    Path folder;

    private Terminal terminal() {
        return new Terminal(folder.resolve("data"));
    }

    /** What a real bash offers where the last of these words is being typed; the program says what it was asked. */
    private List<String> offered(String... line) throws Exception {
        Path program = Files.writeString(folder.resolve("loopkeeper"), "#!/bin/sh\nprintf '<%s>' \"$@\"\necho\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path script = Files.writeString(
                folder.resolve("completion.bash"),
                terminal().type("completion", "bash").out());
        Path typed = Files.writeString(folder.resolve("typed.bash"), """
                source "$1"
                shift
                COMP_WORDS=("$@")
                COMP_CWORD=$(($# - 1))
                COMP_LINE="$*"
                COMP_POINT=${#COMP_LINE}
                _loopkeeper_words "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """);
        ProcessBuilder bash =
                new ProcessBuilder("bash", "--norc", typed.toString(), script.toString(), program.toString());
        bash.command().addAll(List.of(line));
        Process process = bash.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return out.lines().filter(word -> !word.isEmpty()).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', ignoreLeadingAndTrailingWhitespace = true, textBlock = """
            show,de                          | <complete-words><runs><de>
            show,                            | <complete-words><runs><>
            watch,                           | <complete-words><runs><>
            resume,demo-1,                   | <complete-words><actions><><demo-1>
            logs,-f,demo-1,build.            | <complete-words><steps><build.><demo-1>
            logs,--tail,3,demo-1,b           | <complete-words><steps><b><demo-1>
            --data,/some where,show,         | <--data=/some where><complete-words><runs><>
            show,--data,=,/x,                | <--data=/x><complete-words><runs><>
            """)
    void bashAsksTheProgramForWhatOnlyItKnows(String line, String asked) throws Exception {
        assertThat(offered(line.split(",", -1))).containsExactly(asked);
    }

    @Test
    void bashCompletesCommandsAndOptionsWithoutAServer() throws Exception {
        assertThat(offered("ru")).contains("run", "runs");
        assertThat(offered("show", "--js")).containsExactly("--json");
        assertThat(offered("")).doesNotContain("complete-words");
        assertThat(offered("logs", "--stream", "")).noneMatch(word -> word.contains("complete-words"));
    }

    @Test
    void bashOffersTheCommandsAfterHelp() throws Exception {
        assertThat(offered("help", "")).contains("run", "terminations", "help").doesNotContain("complete-words");
        assertThat(offered("help", "sh")).containsExactly("show");
        assertThat(offered("--data", "/x", "help", "sh")).containsExactly("show");
        assertThat(offered("help", "show", "")).isEmpty();
    }

    /** What init offered for its agent was refused by it. */
    @ParameterizedTest
    @CsvSource({"--agent,claude-code", "--example,two-models"})
    void whatIsOfferedForAnOptionOfInitIsAccepted(String option, String one) throws Exception {
        List<String> names = offered("init", option, "");
        assertThat(names).contains(one, "codex", "gemini", "opencode");
        for (String name : names) {
            String into = folder.resolve("made-by-" + name).toString();
            assertThat(terminal().type("init", option, name, into))
                    .as(name)
                    .satisfies(
                            made -> assertThat(made.exitCode()).as(made.err()).isZero());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            runs,--status,        | queued,running,waiting,paused,stopping,completed,stopped,failed
            wait,--for,           | paused,ended
            logs,--stream,st      | stdout,stderr
            show,--log-level,W    | WARN
            --log-format,j        | json
            completion,           | bash,zsh
            show,--data,sr        | src
            reap,--workspace,sr   | src
            serve,--token-file,po | pom.xml
            validate,--workspace,src,po | pom.xml
            ps,--run,de           | <complete-words><runs><de>
            reap,--workspace,.,--run,de | <complete-words><runs><de>
            """)
    void bashOffersWhatAnOptionTakes(String line, String words) throws Exception {
        assertThat(offered(line.split(",", -1))).containsExactlyInAnyOrder(words.split(","));
    }

    /** Two options of one command with one label share their words in the script of picocli, and the last one wins. */
    @Test
    void labelsOfOptionsWithWordsDifferWithinACommand() {
        CommandLine model =
                new CommandRunner(terminal().console(System.out, System.err), EmbeddedRoot::start).commandLine();
        for (CommandLine subcommand : model.getSubcommands().values()) {
            assertThat(subcommand.getCommandSpec().options().stream()
                            .filter(option -> option.completionCandidates() != null)
                            .map(option -> option.paramLabel()))
                    .as(subcommand.getCommandName())
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void bothShellsTakeTheSameScriptAndOthersNone() {
        String script = terminal().type("completion").out();

        assertThat(script).contains("bashcompinit", "complete-words", "LOOPKEEPER_BUILD=never");
        assertThat(script.lines().filter(line -> line.contains("Words for the completion")))
                .isEmpty();
        assertThat(terminal().type("completion", "zsh").out()).isEqualTo(script);
        assertThat(terminal().type("completion", "fish")).satisfies(refused -> {
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err()).contains("expected one of [bash, zsh] (case-sensitive) but was 'fish'");
        });
    }

    /** What is reported at last: on a machine in use nothing may be known in time, so it is asked again. */
    private List<String> offeredWords(String... words) {
        String[] all =
                Stream.concat(Stream.of("complete-words"), Stream.of(words)).toArray(String[]::new);
        return Awaitility.await().until(() -> terminal().type(all).out().lines().toList(), found -> !found.isEmpty());
    }

    @Test
    void completesValuesFromTheServer() {
        try (FakeKeeper keeper = new FakeKeeper(folder.resolve("data"))) {
            keeper.put("demo-1", "running");
            keeper.put("demo-2", "running");
            keeper.put("other", "running");

            assertThat(offeredWords("runs", "de")).containsExactlyInAnyOrder("demo-1", "demo-2");
            assertThat(offeredWords("runs", "")).hasSize(3);
            assertThat(offeredWords("runs")).hasSize(3);
        }
    }

    @Test
    void completesValuesFromTheStoreWithoutAServer() throws IOException {
        Path manifest = Files.writeString(folder.resolve("m.yaml"), """
                name: x
                agents: {dev: {command: 'true', signal: s.json}}
                phases: [{name: build, loop: {steps: [dev]}}]
                """);
        assertThat(terminal()
                        .type("run", manifest.toString(), "--run-id", "asks")
                        .exitCode())
                .isEqualTo(4);

        assertThat(offeredWords("runs", "a")).containsExactly("asks");
        assertThat(offeredWords("steps", "build", "as")).containsExactly("build.1.dev.1");
        assertThat(offeredWords("actions", "", "-")).contains("retry_iteration", "continue");
        assertThat(offeredWords("actions", "retry", "asks")).containsExactly("retry_iteration");
    }

    @Test
    void completesValuesFromTheStoreIfTheServerHangs() throws IOException {
        Path manifest = Files.writeString(folder.resolve("m.yaml"), """
                name: x
                agents: {dev: {command: 'true', signal: s.json}}
                phases: [{name: build, loop: {steps: [dev]}}]
                """);
        assertThat(terminal()
                        .type("run", manifest.toString(), "--run-id", "asks")
                        .exitCode())
                .isEqualTo(4);
        DataFolder data = new DataFolder(folder.resolve("data"));
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                OwnerLock owned = data.own()) {
            String url = "http://127.0.0.1:" + silent.getLocalPort();
            assertThat(owned).as("the folder is another's").isNotNull();
            data.serverFile()
                    .write(new ServerAddress(url, ProcessHandle.current().pid(), Instant.now()));

            assertThat(offeredWords("runs", "a")).containsExactly("asks");
            assertThat(offeredWords("actions", "retry", "a")).containsExactly("retry_iteration");
            assertThat(terminal()
                            .type("complete-words", "runs", "a", "--server", url)
                            .out())
                    .as("a server that was named is another's")
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"runs,x", "steps,x,none", "actions,'',none", "dances,''"})
    void completesNothingUnknown(String kind, String beginning) {
        Terminal.CommandOutput result = terminal().type("complete-words", kind, beginning, "none");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out() + result.err()).isEmpty();
    }

    @Test
    void completesNothingOfAGoneServer() {
        Terminal terminal = terminal();
        terminal.environment.put("LOOPKEEPER_SERVER", "http://127.0.0.1:1");
        Terminal.CommandOutput result = terminal.type("complete-words", "runs", "");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out() + result.err()).isEmpty();
    }
}
