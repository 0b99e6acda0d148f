package dev.loopkeeper.manifest.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.Manifest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Manifests for tests. */
public final class ManifestTexts {
    /** Agents and a phase; a name in front makes it a manifest. */
    static final String REST = """
            agents:
              dev: {command: [dev]}
              judge: {command: ./judge.sh, signal: judge.json}
            phases:
              - {name: build, task: dev}
            """;

    private ManifestTexts() {}

    /** The manifest of the specification, with the agents that it leaves out. */
    static String sample() {
        try (InputStream stream = ManifestTexts.class.getResourceAsStream("sample.yaml")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static String with(String more) {
        return "name: demo\n" + REST + more;
    }

    static String withAgent(String keys) {
        return with("").replace("dev: {command: [dev]}", "dev: {command: [dev], " + keys + "}");
    }

    static String withPhase(String phase) {
        return with("").replace("{name: build, task: dev}", phase);
    }

    /** Reads a YAML or JSON text. */
    public static ManifestReading read(String text) {
        DocumentReading reading = ManifestText.parse(text);
        if (reading instanceof DocumentReading.Unreadable unreadable) {
            return new ManifestReading.Invalid(List.of(unreadable.problem()));
        }
        DocumentReading.Parsed parsed = (DocumentReading.Parsed) reading;
        return ManifestReader.read(parsed.document(), parsed.sources());
    }

    static Manifest valid(String text) {
        ManifestReading reading = read(text);
        assertThat(reading).as(text).isInstanceOf(ManifestReading.Valid.class);
        return ((ManifestReading.Valid) reading).manifest();
    }

    static List<ManifestProblem> problems(String text) {
        ManifestReading reading = read(text);
        assertThat(reading).as(text).isInstanceOf(ManifestReading.Invalid.class);
        List<ManifestProblem> problems = ((ManifestReading.Invalid) reading).problems();
        assertThat(problems).isNotEmpty();
        return problems;
    }

    static String onlyProblem(String text) {
        List<ManifestProblem> problems = problems(text);
        assertThat(problems).as(text).hasSize(1);
        return problems.get(0).text();
    }
}
