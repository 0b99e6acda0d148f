package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** A workspace with scripted agents that print what real ones do, and commands typed there, in this process. */
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

    Terminal.CommandOutput run(String runId, String manifest) throws IOException {
        Path file = Files.writeString(folder.resolve("manifest.yaml"), manifest);
        return type("run", file.toString(), "--workspace", folder.toString(), "--run-id", runId);
    }

    Terminal.CommandOutput type(String... words) {
        return new Terminal(data()).type(words);
    }

    JsonNode show(String runId) {
        return type("show", runId, "--json").json();
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
