package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each recipe as a reader tries it who knows only the documents: what is printed is run, with programs of the agents'
 * names that want a prompt and print what those do.
 */
class RecipesTest {
    private static final Path RECIPES = Path.of("../../docs/recipes.md");
    private static final Path EXAMPLES = Path.of("../../conf/examples");
    private static final Pattern MANIFEST = Pattern.compile("(?ms)^```yaml\n(name: (\\S+)\n.*?)^```");
    private static final Pattern PROMPT = Pattern.compile("(?ms)^```md\n(.*?)^```");

    /** A developer says what it did, a judge is content in the second iteration, the agent that tidies is done at once. */
    private static final String AGENT = """
            #!/bin/sh
            prompt=$(cat)
            [ -n "$prompt" ] || { echo 'Error: Input must be provided either through stdin or as a prompt' >&2; exit 1; }
            mkdir -p "$(dirname "$LOOPKEEPER_SIGNAL_FILE")"
            case $LOOPKEEPER_PHASE:$LOOPKEEPER_STEP_ID in
                tidy:*) echo '{"determination": "SUCCESS"}' ;;
                *:fix.1.judge.*) echo '{"determination": "PROGRESS", "keyConcern": "one is left"}' ;;
                *:repair.[12].judge.*) echo '{"determination": "STALLED", "keyConcern": "nothing moved"}' ;;
                *:fix.*.judge.* | *:repair.*.judge.*) echo '{"determination": "SUCCESS"}' ;;
                *) echo '{"status": "completed", "keyConcern": "fixed one"}' ;;
            esac >"$LOOPKEEPER_SIGNAL_FILE"
            cat <<'END'
            %s
            END
            """;

    @TempDir
    Path folder;

    private Path project;
    private Path programs;
    private Terminal terminal;

    @BeforeEach
    void prepare() throws IOException {
        project = Files.createDirectory(folder.resolve("project"));
        programs = Files.createDirectory(folder.resolve("bin"));
        terminal = new Terminal(folder.resolve("data"));
        agent("claude", """
                {"type":"system","subtype":"init","session_id":"s","model":"claude-sonnet-5"}
                {"type":"result","subtype":"success","is_error":false,"duration_ms":48213,"num_turns":9,\
                "result":"All 42 tests pass.","session_id":"s","total_cost_usd":0.25,\
                "usage":{"input_tokens":30,"output_tokens":10},"terminal_reason":"completed"}""");
        agent("codex", """
                {"type":"thread.started","thread_id":"t"}
                {"type":"turn.started"}
                {"type":"item.completed","item":{"id":"item_4","type":"agent_message","text":"Implemented and tested."}}
                {"type":"turn.completed","usage":{"input_tokens":30,"cached_input_tokens":20,"output_tokens":10}}""");
        agent("gemini", """
                {"type":"init","timestamp":"2026-01-01T10:00:00.000Z","session_id":"g","model":"gemini-3-pro"}
                {"type":"result","timestamp":"2026-01-01T10:00:41.120Z","status":"success","stats":{"total_tokens":40,\
                "input_tokens":30,"output_tokens":10,"cached":9,"input":21,"duration_ms":41020,"tool_calls":6}}""");
        agent("opencode", """
                {"type":"step_start","timestamp":1767225600123,"sessionID":"o","part":{"id":"prt_1","type":"step-start"}}
                {"type":"step_finish","timestamp":1767225611002,"sessionID":"o","part":{"type":"step-finish",\
                "reason":"stop","cost":0.25,"tokens":{"total":40,"input":30,"output":10,"reasoning":0,\
                "cache":{"read":0,"write":0}}}}
                {"type":"done","timestamp":1767225612400,"sessionID":"o","reason":"idle","rejected":[]}""");
        terminal.environment.put("PATH", programs + ":" + System.getenv("PATH"));
        program(programs.resolve("mail"), "#!/bin/sh\n");
        program(programs.resolve("make"), "#!/bin/sh\n[ -e fixed ]\n");
    }

    private void agent(String name, String output) throws IOException {
        program(programs.resolve(name), AGENT.formatted(output));
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** The manifest of this name as it is printed, in the project. */
    private Path printed(String name) throws IOException {
        Matcher manifests = MANIFEST.matcher(Files.readString(RECIPES));
        while (manifests.find()) {
            if (manifests.group(2).equals(name)) {
                return Files.writeString(project.resolve(name + ".yaml"), manifests.group(1));
            }
        }
        throw new AssertionError(name + " is not in " + RECIPES);
    }

    @CanIgnoreReturnValue
    private JsonNode run(Path manifest) {
        Terminal.CommandOutput result = terminal.type(
                "run",
                manifest.toString(),
                "--workspace",
                project.toString(),
                "--set",
                "env.PATH=" + programs + ":/usr/bin:/bin",
                "--run-id",
                "tried");
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        return terminal.type("show", "tried", "--json").json();
    }

    private void prompts() throws IOException {
        Path prompts = Files.createDirectories(project.resolve("prompts"));
        for (String prompt : new String[] {"dev.md", "judge.md"}) {
            Files.copy(EXAMPLES.resolve("prompts").resolve(prompt), prompts.resolve(prompt));
        }
    }

    private JsonNode example(String name) throws IOException {
        prompts();
        return run(Files.copy(EXAMPLES.resolve(name + ".yaml"), project.resolve("loopkeeper.yaml")));
    }

    private static String usage(JsonNode run) {
        JsonNode usage = run.path("usage");
        return usage.path("costUsd") + " " + usage.path("inputTokens") + " " + usage.path("outputTokens");
    }

    @Test
    void everyPrintedManifestIsTriedHere() throws IOException {
        Set<String> names = new TreeSet<>();
        MANIFEST.matcher(Files.readString(RECIPES)).results().forEach(found -> names.add(found.group(2)));
        assertThat(names)
                .containsExactly(
                        "cheap-first",
                        "ci-loop",
                        "guarded-tests",
                        "many-items",
                        "nightly",
                        "two-models",
                        "until-green");
    }

    @Test
    void aPlainScriptWorksUntilTheCheckPasses() throws IOException {
        program(project.resolve("fix.sh"), "#!/bin/sh\n[ -e once ] && touch fixed\ntouch once\n");
        JsonNode run = run(printed("until-green"));
        assertThat(run.at("/position/iteration").asInt()).isEqualTo(2);
    }

    @Test
    void twoModelsWorkAndJudge() throws IOException {
        prompts();
        // Two iterations of a developer that reports its cost and a judge that does not.
        assertThat(usage(run(printed("two-models")))).isEqualTo("0.5 120 40");
    }

    @Test
    void theStrongerModelTakesOverAfterTwoRejections() throws IOException {
        prompts();
        assertThat(run(printed("cheap-first")).at("/position/iteration").asInt())
                .isEqualTo(3);
        assertThat(terminal.type("show", "tried", "repair.3.dev-strong.1").out())
                .contains("dev-strong, takes over from dev", "You take over from dev", "iteration 2: STALLED");
    }

    @Test
    void theNightlyLoopFindsItsPrompt() throws IOException {
        Matcher prompt = PROMPT.matcher(Files.readString(RECIPES));
        assertThat(prompt.find()).isTrue();
        Files.writeString(project.resolve("tidy.md"), prompt.group(1));
        assertThat(usage(run(printed("nightly")))).isEqualTo("0.25 30 10");
    }

    @Test
    void manyItemsAreMergedFromTheirWorktrees() throws IOException, InterruptedException {
        program(project.resolve("work-on.sh"), "#!/bin/sh\necho \"$LOOPKEEPER_ITEM\" >\"$LOOPKEEPER_ITEM.txt\"\n");
        program(project.resolve("check.sh"), "#!/bin/sh\n[ -s \"$LOOPKEEPER_ITEM.txt\" ]\n");
        Path manifest = printed("many-items");
        commit();
        run(manifest);
        assertThat(project.resolve("parser.txt")).doesNotExist();
        assertThat(terminal.type("diff", "tried").out()).contains("+parser", "+printer", "+docs");
        Terminal.CommandOutput merged = terminal.type("merge", "tried");
        assertThat(merged.exitCode()).as(merged.out() + merged.err()).isZero();
        assertThat(project.resolve("printer.txt")).hasContent("printer");
    }

    @Test
    void anAgentThatDeletesATestIsRejectedAndTheTestIsBack() throws IOException, InterruptedException {
        program(
                project.resolve("fix.sh"),
                "#!/bin/sh\n[ $LOOPKEEPER_ITERATION = 2 ] && [ -s tests/a ] && touch fixed || rm tests/a\n");
        Files.createDirectory(project.resolve("tests"));
        Files.writeString(project.resolve("tests/a"), "test");
        Path manifest = printed("guarded-tests");
        commit();
        JsonNode run = run(manifest);
        assertThat(run.at("/position/iteration").asInt()).isEqualTo(2);
        assertThat(terminal.type("show", "tried").out()).contains("the step changed protected files: tests/a");
    }

    private void commit() throws IOException, InterruptedException {
        for (String command : new String[] {
            "git init -q -b main .", "git add .", "git -c user.name=A -c user.email=a@example.org commit -q -m first"
        }) {
            Process git = new ProcessBuilder(command.split(" "))
                    .directory(project.toFile())
                    .inheritIO()
                    .start();
            assertThat(git.waitFor()).as(command).isZero();
        }
    }

    @Test
    void theLoopOfCiPassesItsGate() throws IOException {
        program(project.resolve("fix.sh"), "#!/bin/sh\ntouch fixed\n");
        run(printed("ci-loop"));
    }

    @Test
    void theExampleForGeminiRuns() throws IOException {
        assertThat(usage(example("gemini"))).isEqualTo("null 120 40");
    }

    @Test
    void theExampleForOpencodeRuns() throws IOException {
        assertThat(usage(example("opencode"))).isEqualTo("1.0 120 40");
    }

    @Test
    void theExampleOfTwoModelsRuns() throws IOException {
        assertThat(usage(example("two-models"))).isEqualTo("0.5 120 40");
    }

    /** What {@code init} writes for a project of one's own, for each agent. */
    @Test
    void whatInitWritesForAProjectRuns() throws IOException {
        for (String agent : new String[] {"claude-code", "codex", "gemini", "opencode"}) {
            Path own = Files.createDirectory(folder.resolve(agent));
            Files.createFile(own.resolve("fixed"));
            assertThat(terminal.type("init", own.toString(), "--agent", agent, "--check", "make test")
                            .exitCode())
                    .isZero();
            Terminal.CommandOutput result = terminal.type(
                    "run",
                    own.resolve("loopkeeper.yaml").toString(),
                    "--set",
                    "phases.0.loop.until.first=false",
                    "--set",
                    "env.PATH=" + programs + ":/usr/bin:/bin");
            assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        }
    }

    @Test
    void theRecipesLinkEveryExampleOfAnAgent() throws IOException {
        String text = Files.readString(RECIPES);
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
                String name = file.getFileName().toString();
                if (!name.equals("improve-report.yaml") && !name.equals("parallel-items.yaml")) {
                    assertThat(text).contains("(../conf/examples/" + name + ")");
                }
            }
        }
    }
}
