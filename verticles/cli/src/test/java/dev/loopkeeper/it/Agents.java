package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** A workspace with scripted agents that print what real ones do, and the program run on it. */
final class Agents {
    private final Path folder;

    Agents(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    Path data() {
        return folder.resolve("data");
    }

    /** An agent; {@code $n} is the number of its launch, from 1. */
    void script(String name, String body) throws IOException {
        Path file = folder.resolve(name + ".sh");
        Files.writeString(
                file, "#!/bin/sh\necho >> " + name + ".launches\nn=$(wc -l < " + name + ".launches)\n" + body);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    int launches(String name) throws IOException {
        Path file = folder.resolve(name + ".launches");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    Program.Result run(String runId, String manifest) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("manifest.yaml"), manifest);
        return program("run", "manifest.yaml", "--run-id", runId);
    }

    Program.Result program(String... words) throws IOException, InterruptedException {
        String[] all = new String[words.length + 2];
        System.arraycopy(words, 0, all, 0, words.length);
        all[words.length] = "--data";
        all[words.length + 1] = data().toString();
        return Program.run(folder, all);
    }

    JsonNode show(String runId) {
        return new Terminal(data()).type("show", runId, "--json").json();
    }

    static List<JsonNode> of(List<JsonNode> events, String type) {
        return events.stream()
                .filter(event -> event.path("type").asText().equals(type))
                .toList();
    }

    static Instant at(JsonNode event) {
        return Instant.parse(event.path("at").asText());
    }
}
