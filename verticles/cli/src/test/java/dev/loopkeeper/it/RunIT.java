package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.NamedPipe;
import dev.loopkeeper.cli.Terminal;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The foreground command as its users meet it. */
@Execution(ExecutionMode.CONCURRENT)
class RunIT {
    private static final String SLEEPER = """
            name: sleeper
            agents: {one: {command: "echo $$ > pid; exec sleep 300"}}
            phases: [{name: only, task: one}]
            """;

    @TempDir
    private Path folder;

    private Path data;

    private Program run() throws IOException {
        return run("exec sleep 300");
    }

    private Program run(String rest) throws IOException {
        data = folder.resolve("data");
        Files.writeString(folder.resolve("manifest.yaml"), SLEEPER.replace("exec sleep 300", rest));
        return Program.start(folder, Map.of(), "run", "manifest.yaml", "--run-id", "r1", "--data", data.toString());
    }

    /** A logger that cannot be set up prints pages of errors. */
    @Test
    void aCommandThatSucceedsIsQuiet() throws Exception {
        Program.Result text = Program.run(folder, "terminations");
        Program.Result json = Program.run(folder, "terminations", "--log-format", "json", "--log-level", "INFO");
        assertThat(text.exitCode()).isZero();
        assertThat(text.stderr()).isEmpty();
        assertThat(json).isEqualTo(text);
    }

    @Test
    void theManifestOfThisFolderNeedNotBeNamed() throws Exception {
        Program.Result none = Program.run(folder, "validate");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.stderr()).contains("there is no loopkeeper.yaml in this folder");
        Files.writeString(folder.resolve("loopkeeper.yaml"), SLEEPER);
        Program.Result valid = Program.run(folder, "validate");
        assertThat(valid.exitCode()).as(valid.stderr()).isZero();
    }

    @Test
    void theSchemaIsThatOfTheSources() throws Exception {
        Path sources = Path.of("..", "..", "conf", "manifest.schema.json");
        assertThat(new Terminal(folder).type("schema").json())
                .isEqualTo(Json.MAPPER.readTree(Files.readString(sources)));
    }

    /** It used to be left open, with its agent alive. */
    @RepeatedTest(2)
    void aSignalWhileTheRunBeginsStopsIt() throws Exception {
        try (Program program = run()) {
            Awaitility.await().until(() -> Files.exists(data.resolve("runs/r1")));
            program.terminate();
            assertThat(program.join().exitCode()).isEqualTo(143);
        }
        assertThat(checkpoint().at("/termination/subtype").asText()).isEqualTo("error_interrupted");
        Processes.awaitNoneWith("LOOPKEEPER_DATA=" + data);
    }

    /** It used to retry its writes for ever, with the agent alive. */
    @Test
    void aDataFolderThatTheAgentDeletesEndsTheRun() throws Exception {
        try (Program program = run("rm -rf data; exec sleep 300")) {
            Program.Result ended = program.join();
            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.stderr())
                    .contains(data.resolve("events.db") + " was deleted or replaced")
                    .contains("--data");
        }
        Processes.awaitNoneWith("LOOPKEEPER_DATA=" + data);
    }

    @Test
    void aResumeAfterAKillAdoptsTheAgent() throws Exception {
        Path pid = folder.resolve("pid");
        try (Program program = run()) {
            Awaitility.await()
                    .until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
            program.kill();
        }
        String agent = Files.readString(pid);
        try (Program resumed = Program.start(folder, Map.of(), "resume", "r1", "--data", data.toString())) {
            Awaitility.await().until(() -> resumed.output().contains("continues"));
            resumed.terminate();
            assertThat(resumed.join().exitCode()).isEqualTo(143);
        }
        assertThat(Files.readString(pid)).isEqualTo(agent);
        assertThat(checkpoint().at("/termination/subtype").asText()).isEqualTo("error_interrupted");
        Processes.awaitNoneWith("LOOPKEEPER_DATA=" + data);
    }

    /** It used to be refused with 2, since there was nothing left to resume. */
    @Test
    void aResumeAfterAKillPrintsTheEndOfAFinishedRun() throws Exception {
        Path pid = folder.resolve("pid");
        Path exit = folder.resolve("data/runs/r1/steps/only.one.1/exit.json");
        assertThat(new ProcessBuilder("mkfifo", folder.resolve("go").toString())
                        .start()
                        .waitFor())
                .isZero();
        try (Program program = run("read word < go")) {
            Awaitility.await()
                    .until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
            program.kill();
        }
        NamedPipe.write(folder.resolve("go"), "on\n");
        Awaitility.await().until(() -> Files.exists(exit));
        Program.Result resumed = Program.run(folder, "resume", "r1", "--data", data.toString());
        assertThat(resumed.exitCode()).as(resumed.stderr()).isZero();
        assertThat(resumed.stdout()).contains("r1 is completed");
        assertThat(new Terminal(data).type("resume", "r1").exitCode()).isEqualTo(2);
    }

    @Test
    void aResumeRunsTheChangedManifest() throws Exception {
        try (Program program = run("exit 3")) {
            assertThat(program.join().exitCode()).isEqualTo(1);
        }
        Path manifest = folder.resolve("manifest.yaml");
        Files.writeString(manifest, Files.readString(manifest).replace("exit 3", "exit 0"));

        Terminal.CommandOutput resumed = new Terminal(data).type("resume", "r1", "--manifest", manifest.toString());

        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(resumed.err()).contains("changed: agents.one.command: changed");
        assertThat(checkpoint().at("/manifest/agents/one/command").asText()).contains("exit 0");
    }

    private JsonNode checkpoint() throws IOException {
        return Json.MAPPER.readTree(Files.readString(data.resolve("runs/r1/checkpoint.json")));
    }
}
