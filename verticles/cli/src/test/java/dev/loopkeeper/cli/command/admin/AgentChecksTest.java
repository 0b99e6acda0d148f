package dev.loopkeeper.cli.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentChecksTest {
    @TempDir
    private Path folder;

    private Map<String, String> environment;

    @BeforeEach
    void open() throws IOException {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        environment = new HashMap<>(Map.of("PATH", programs + ":/usr/bin:/bin", "HOME", folder.toString()));
    }

    private void program(String name, String script) throws IOException {
        Path file = folder.resolve("bin").resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private List<AgentChecks.Agent> all() {
        return new AgentChecks(environment, Duration.ofSeconds(30)).all();
    }

    private AgentChecks.Agent only() {
        assertThat(all()).hasSize(1);
        return all().get(0);
    }

    @Test
    void whatIsNotOnThePathIsNotListed() {
        environment.put("PATH", folder.resolve("bin").toString());
        assertThat(all()).isEmpty();
    }

    @Test
    void aKeyOrAStoredLoginIsALogin() throws IOException {
        program("claude", "echo '2.1.50 (Claude Code)'");
        assertThat(only().login()).isEqualTo(AgentChecks.Login.UNKNOWN);
        assertThat(only().version()).isEqualTo("2.1.50 (Claude Code)");

        Path login = Files.createDirectory(folder.resolve(".claude")).resolve(".credentials.json");
        Files.writeString(login, "{}");
        assertThat(only().login()).isEqualTo(AgentChecks.Login.YES);
        assertThat(only().found()).isEqualTo("login in " + login);

        environment.put("ANTHROPIC_API_KEY", "secret");
        assertThat(only().found()).isEqualTo("key in ANTHROPIC_API_KEY");
    }

    @Test
    void codexMustBeLoggedIn() throws IOException {
        program("codex", "[ \"$1\" = --version ] && echo codex-cli 0.50 && exit; echo Not logged in >&2; exit 1");
        assertThat(only().login()).isEqualTo(AgentChecks.Login.NO);
        assertThat(only().found()).isEqualTo("Not logged in");

        program("codex", "echo Logged in using ChatGPT");
        assertThat(only().login()).isEqualTo(AgentChecks.Login.YES);

        program("codex", "echo unknown command >&2; exit 2");
        assertThat(only().login()).isEqualTo(AgentChecks.Login.UNKNOWN);
    }

    @Test
    void aProgramThatDoesNotAnswerIsEnded() throws IOException {
        program("gemini", "exec sleep 1000");

        AgentChecks.Agent agent =
                new AgentChecks(environment, Duration.ofMillis(50)).all().get(0);

        assertThat(agent.version()).startsWith("no answer within");
        assertThat(agent.login()).isEqualTo(AgentChecks.Login.UNKNOWN);
    }
}
