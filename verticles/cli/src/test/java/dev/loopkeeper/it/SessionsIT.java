package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Agents that continue with a session, with programs that print what real ones print then. */
@Execution(ExecutionMode.CONCURRENT)
class SessionsIT {
    private static final String MANIFEST = """
            name: threads
            agents:
              dev:
                command: [./dev.sh]
                resume: [./dev.sh, --resume, "{{session.id}}"]
                session: afterInterruption
                output: claude-code
                prompt: dev.md
                signal: dev.json
            phases: [{name: work, task: dev}]
            retry: {backoff: {initial: 10ms, max: 50ms}}
            """;
    private static final String OVERLOADED = result("\"is_error\":true,\"result\":\"API Error: 529 Overloaded\","
            + "\"api_error_status\":529,\"total_cost_usd\":0.5,\"num_turns\":1");
    private static final String DONE = result("\"is_error\":false,\"total_cost_usd\":%s,\"num_turns\":1");

    @TempDir
    private Path folder;

    private static String result(String fields) {
        return "echo '{\"type\":\"result\",\"subtype\":\"success\",\"session_id\":\"s1\"," + fields + "}'\n";
    }

    private Agents agents(String body) throws Exception {
        Agents agents = new Agents(folder);
        Files.writeString(folder.resolve("dev.md"), "Do the work.\n");
        agents.script("dev", "echo \"launched with: $*\" >> calls\ncat > stdin.$n\n" + body);
        return agents;
    }

    @Test
    void aCutOffAgentContinuesItsSessionAndIsReminded() throws Exception {
        Agents agents = agents("case $n in\n"
                + "1) " + OVERLOADED + "exit 1;;\n"
                + "2) " + DONE.formatted("0.75") + "exit 0;;\n"
                + "*) echo '{\"status\":\"completed\"}' > dev.json\n" + DONE.formatted("1.00") + "esac\n");

        Terminal.CommandOutput run = agents.run("threads", MANIFEST);

        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("calls")))
                .containsExactly("launched with: ", "launched with: --resume s1", "launched with: --resume s1");
        assertThat(Files.readString(folder.resolve("stdin.2"))).contains("Do the work.", "interrupted (overloaded)");
        assertThat(Files.readString(folder.resolve("stdin.3")))
                .contains("signal-invalid (absent)", "LOOPKEEPER_SIGNAL_FILE");
        assertThat(agents.show("threads").at("/usage/costUsd").asDouble()).isEqualTo(1.0);
        JsonNode last = new Terminal(agents.data())
                .type("show", "threads", "work.dev.1-3", "--json")
                .json();
        assertThat(last.at("/result/session/id").asText()).isEqualTo("s1");
        assertThat(last.at("/result/session/continuedFrom").asText()).isEqualTo("work.dev.1-2");
    }

    @Test
    void startsANewSessionWhereTheOldOneIsGone() throws Exception {
        Agents agents = agents("case $n in\n"
                + "1) " + OVERLOADED + "exit 1;;\n"
                + "2) echo 'No conversation found with session ID: s1' >&2; exit 1;;\n"
                + "*) echo '{\"status\":\"completed\"}' > dev.json\n" + DONE.formatted("1.00") + "esac\n");

        Terminal.CommandOutput run = agents.run("gone", MANIFEST);

        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("calls")))
                .containsExactly("launched with: ", "launched with: --resume s1", "launched with: ");
        assertThat(run.out()).contains("the session s1 of dev could not be continued");
    }
}
