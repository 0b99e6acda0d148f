package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the first version wrote is opened by this one. The files of a format are never written again; those of a new
 * one are made by {@code -Dloopkeeper.golden=src/test/resources/dev/loopkeeper/cli/format-N}.
 */
class GoldenFormatsTest {
    private static final String FORMAT_1 = "/dev/loopkeeper/cli/format-1/";
    private static final Map<String, String> COMMANDS = Map.of(
            "done",
            "{command: \"true\"}",
            "lost",
            "{command: \"exit 3\"}",
            "silent",
            "{command: \"true\", signal: none.json}");

    @TempDir
    private Path folder;

    private Path data;
    private Terminal terminal;

    private void open(String name) throws IOException {
        data = folder.resolve(name);
        terminal = new Terminal(data);
        String golden = System.getProperty("loopkeeper.golden");
        if (golden != null && !Files.exists(Path.of(golden, "silent.zip"))) {
            write(Path.of(golden));
        }
    }

    private void write(Path golden) throws IOException {
        Files.createDirectories(golden);
        Path made = folder.resolve("made");
        Terminal maker = new Terminal(made);
        for (Map.Entry<String, String> run : COMMANDS.entrySet()) {
            Path manifest = folder.resolve(run.getKey() + ".yaml");
            Files.writeString(
                    manifest, "name: golden\nagents: {dev: " + run.getValue() + "}\nphases: [{name: p, task: dev}]\n");
            assertThat(maker.type("run", manifest.toString(), "--run-id", run.getKey())
                            .exitCode())
                    .isNotEqualTo(2);
        }
        Files.copy(made.resolve("events.db"), golden.resolve("events.db"));
        assertThat(maker.type("export", "silent", golden.resolve("silent.zip").toString())
                        .exitCode())
                .isZero();
    }

    private static Path copied(String name, Path target) throws IOException {
        Files.createDirectories(target.getParent());
        String fresh = System.getProperty("loopkeeper.golden");
        try (InputStream golden = fresh == null
                ? GoldenFormatsTest.class.getResourceAsStream(FORMAT_1 + name)
                : Files.newInputStream(Path.of(fresh, name))) {
            assertThat(golden).as(name).isNotNull();
            Files.copy(golden, target);
        }
        return target;
    }

    @Test
    void aDatabaseOfFormat1IsReadAndGoesOn() throws IOException {
        open("database");
        assertThat(copied("events.db", data.resolve("events.db"))).exists();

        assertThat(statuses()).isEqualTo(Map.of("done", "completed", "lost", "failed", "silent", "paused"));
        assertThat(terminal.type("explain", "lost", "--json").json().path("chain"))
                .isNotEmpty();

        Terminal.Said stopped = terminal.type("stop", "silent");

        assertThat(stopped.exitCode()).as(stopped.err()).isZero();
        assertThat(statuses()).containsEntry("silent", "stopped");
    }

    @Test
    void aBundleOfFormat1IsTakenIn() throws IOException {
        open("bundle");
        Path bundle = copied("silent.zip", folder.resolve("silent.zip"));

        Terminal.Said said = terminal.type("import", bundle.toString());

        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(statuses()).isEqualTo(Map.of("silent", "paused"));
        assertThat(terminal.type("logs", "silent").exitCode()).isZero();
    }

    private Map<String, String> statuses() {
        Map<String, String> statuses = new HashMap<>();
        for (JsonNode run : terminal.type("runs", "--json").json().path("runs")) {
            statuses.put(run.path("runId").asText(), run.path("status").asText());
        }
        return statuses;
    }
}
