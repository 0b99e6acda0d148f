package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples for real agents, with programs of their names that print what those do. */
class ExamplesIT {
    /** Judges SUCCESS in the second iteration; keeps its arguments and its prompt. */
    private static final String AGENT = """
            #!/bin/sh
            printf '%%s\\n' "$*" >> "%1$s/arguments"
            cat >> "%1$s/prompts"
            mkdir -p "$(dirname "$LOOPKEEPER_SIGNAL_FILE")"
            case $LOOPKEEPER_STEP_ID in
                *.dev.*) echo '{"status": "completed", "keyConcern": "fixed one"}' ;;
                fix.1.*) echo '{"determination": "PROGRESS", "keyConcern": "one is left"}' ;;
                *) echo '{"determination": "SUCCESS"}' ;;
            esac > "$LOOPKEEPER_SIGNAL_FILE"
            cat <<'END'
            %2$s
            END
            """;

    @TempDir
    private Path folder;

    @Test
    void theExampleForClaudeCodeRuns() throws Exception {
        JsonNode run = run("claude-code", "claude", """
                {"type":"system","subtype":"init","session_id":"s"}
                {"type":"assistant","message":{"id":"m","usage":{"input_tokens":5,"output_tokens":1}},"session_id":"s"}
                {"type":"result","subtype":"success","is_error":false,"num_turns":4,"result":"done","session_id":"s",\
                "total_cost_usd":0.25,"usage":{"input_tokens":30,"output_tokens":10},"terminal_reason":"completed"}""");
        assertThat(run.at("/usage").toString())
                .isEqualTo("{\"costUsd\":1.0,\"inputTokens\":120,\"outputTokens\":40,\"turns\":16,\"costKnown\":true}");
        assertThat(Files.readString(folder.resolve("arguments")))
                .contains("-p --output-format stream-json --verbose --permission-mode acceptEdits");
        assertThat(Files.readString(folder.resolve("prompts")))
                .contains("This is iteration 2", "Run `make test` five times")
                .doesNotContain("{{");
    }

    @Test
    void theExampleForCodexRuns() throws Exception {
        JsonNode run = run("codex", "codex", """
                {"type":"thread.started","thread_id":"t"}
                {"type":"turn.started"}
                {"type":"turn.completed","usage":{"input_tokens":30,"cached_input_tokens":20,"output_tokens":10}}""");
        assertThat(run.at("/usage").toString())
                .isEqualTo(
                        "{\"costUsd\":null,\"inputTokens\":120,\"outputTokens\":40,\"turns\":4,\"costKnown\":false}");
        assertThat(Files.readString(folder.resolve("arguments"))).contains("exec --json --sandbox workspace-write -\n");
    }

    private JsonNode run(String example, String program, String output) throws IOException, InterruptedException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path workspace = Files.createDirectory(folder.resolve("project"));
        Path agent = bin.resolve(program);
        Files.writeString(agent, AGENT.formatted(folder, output));
        assertThat(agent.toFile().setExecutable(true)).isTrue();
        Map<String, String> environment = Map.of("PATH", bin + ":" + System.getenv("PATH"));
        String manifest = Path.of("..", "..", "conf", "examples", example + ".yaml")
                .toAbsolutePath()
                .normalize()
                .toString();
        String data = folder.resolve("data").toString();
        try (Program run = Program.start(
                folder,
                environment,
                "run",
                manifest,
                "--workspace",
                workspace.toString(),
                "--run-id",
                example,
                "--data",
                data)) {
            Program.Result result = run.join();
            assertThat(result.exitCode()).as(result.stdout() + result.stderr()).isZero();
        }
        return new Terminal(Path.of(data)).type("show", example, "--json").json();
    }
}
