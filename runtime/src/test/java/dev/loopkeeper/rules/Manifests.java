package dev.loopkeeper.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Manifests for tests: agents of every kind, and the phases that a test is about. */
final class Manifests {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String AGENTS = """
            name: demo
            agents:
              dev: {command: [dev], fallback: [cheap]}
              cheap: {command: [cheap]}
              judge: {command: [judge], signal: judge.json}
              audit: {command: [audit], signal: audit.json}
              gatekeeper: {command: [gatekeeper]}
              architect: {command: [architect], signal: architect.json}
              reflection: {command: [reflection], signal: reflection.json}
            """;

    private Manifests() {}

    /** These phases in flow style, e.g. {@code {name: plan, task: architect}}, without further keys. */
    static String phases(String... phases) {
        return AGENTS + "phases:\n  - " + String.join("\n  - ", phases) + "\n";
    }

    /** One loop {@code build} of dev and judge. */
    static String loop(String keys) {
        return phases(loopPhase(keys));
    }

    static String loopPhase(String keys) {
        return "{name: build, loop: {steps: [dev, judge], " + keys + "}}";
    }

    /** One each phase {@code frames} of dev and audit. */
    static String each(String items, String keys) {
        return phases("{name: frames, each: {steps: [dev, audit], items: [" + items + "], " + keys + "}}");
    }

    static JsonNode document(String yaml) {
        try {
            return YAML.readTree(yaml);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static Manifest read(JsonNode document) {
        ManifestReading reading = ManifestReader.read(document);
        if (reading instanceof ManifestReading.Valid valid) {
            return valid.manifest();
        }
        throw new IllegalArgumentException(
                ((ManifestReading.Invalid) reading).problems().toString());
    }
}
