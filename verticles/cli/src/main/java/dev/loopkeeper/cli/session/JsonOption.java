package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Option;

/** The option {@code --json} of commands that print facts. */
public final class JsonOption {
    @Option(names = "--json", fallbackValue = "true", description = "Print the facts as JSON.")
    private boolean wanted;

    public boolean wanted() {
        return wanted;
    }

    public static String pretty(JsonNode facts) {
        return facts.toPrettyString();
    }
}
