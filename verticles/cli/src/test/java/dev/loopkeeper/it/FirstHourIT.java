package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.SmallRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a new user reads at a terminal: the help, the doctor, and the ending of a first run. */
@Execution(ExecutionMode.CONCURRENT)
class FirstHourIT {
    @TempDir
    private Path folder;

    @Test
    void helpSuggestionsAndTheDoctorFitATerminal() throws Exception {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path claude = Files.writeString(bin.resolve("claude"), "#!/bin/sh\necho '2.0.1 (Claude Code)'\n");
        assertThat(claude.toFile().setExecutable(true)).isTrue();
        Map<String, String> environment =
                Map.of("NO_COLOR", "1", "PATH", bin + ":" + System.getenv("PATH"), "ANTHROPIC_API_KEY", "any-key");
        try (Tty help = Tty.start(100, 90, folder, environment);
                Tty slip = Tty.start(80, 24, folder, environment, "rnu");
                Tty doctor = Tty.start(200, 60, folder, environment, "doctor", "--data", folder + "/data")) {
            help.awaitText("Run, e.g. ", "Look, e.g. ", "Act, e.g. ", "Operate, e.g. ", "loopkeeper COMMAND --help");
            assertThat(help.screen.overflowed()).isFalse();
            slip.awaitText("there is no command 'rnu'", "did you mean run?");
            doctor.awaitText("yes  agent claude is logged in (key in ANTHROPIC_API_KEY; 2.0.1 (Claude Code)");
        }
    }

    @Test
    void namesOfAgentsCommandsAndExamplesMayBeShortOrWrong() throws Exception {
        Map<String, String> plain = Map.of("NO_COLOR", "1");
        String[] words = {"init", "--agent", "claude", "--check", "make test"};
        try (Tty init = Tty.start(120, 24, folder, plain, words);
                Tty command = Tty.start(80, 24, folder, plain, "expalin", "-");
                Tty example = Tty.start(80, 24, folder, plain, "init", "--example", "improve-reprot");
                Tty agent = Tty.start(80, 24, folder, plain, "init", "--agent", "claude-cod")) {
            init.awaitText("run it:   loopkeeper run");
            assertThat(init.join()).isZero();
            command.awaitText("there is no command 'expalin'", "did you mean explain?");
            example.awaitText("did you mean improve-report?");
            agent.awaitText("did you mean claude-code?");
        }
        assertThat(folder.resolve("loopkeeper.yaml")).content().contains("claude");
    }

    @Test
    void aRunEndsWithItsBranchAndTheCommandsForIt() throws Exception {
        SmallRepository.in(folder.resolve("project"));
        Files.writeString(folder.resolve("first.yaml"), """
                name: first
                isolation: {git: worktree}
                workspace: project
                agents: {dev: {command: "echo a > a.txt; echo b > b.txt"}}
                phases: [{name: build, task: dev}]
                """);
        String data = folder.resolve("data").toString();
        String[] run = {"run", "first.yaml", "--run-id", "r1", "--data", data};
        try (Tty tty = Tty.start(200, 30, folder, Map.of("NO_COLOR", "1"), run)) {
            tty.awaitText("r1 is completed", "branch loopkeeper/r1, 2 files changed, +2 -0");
            tty.awaitText("show the changes with: loopkeeper diff r1", "merge them with: loopkeeper merge r1");
            assertThat(tty.join()).isZero();
            assertThat(tty.screen.text()).containsOnlyOnce("r1 is completed").containsOnlyOnce("dev started");
        }
    }
}
