package dev.loopkeeper.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import picocli.CommandLine.Option;

/** {@code --json} of verbs that print facts. */
final class JsonOption {
    @Option(names = "--json", description = "Print the facts as JSON.")
    private boolean wanted;

    boolean wanted() {
        return wanted;
    }

    static String pretty(JsonNode facts) {
        try {
            return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(facts);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
