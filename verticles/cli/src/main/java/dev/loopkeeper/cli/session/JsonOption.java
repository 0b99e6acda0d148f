package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.json.Json;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** The option {@code --json} of commands that print facts. */
public final class JsonOption {
    @Option(names = "--json", fallbackValue = "true", description = "Print the facts as JSON.")
    private boolean wanted;

    public boolean wanted() {
        return wanted;
    }

    /** Prints the original JSON if {@code --json} is given; otherwise passes the record to {@code forPeople}. */
    public <V extends Record> void print(Console console, Document<V> document, Consumer<V> forPeople) {
        if (wanted) {
            console.print(pretty(document.json()));
        } else {
            forPeople.accept(document.view());
        }
    }

    /** Prints these facts if {@code --json} is given; otherwise runs {@code forPeople}. */
    public void printOr(Console console, JsonNode facts, Runnable forPeople) {
        if (wanted) {
            console.print(pretty(facts));
        } else {
            forPeople.run();
        }
    }

    public static String pretty(JsonNode facts) {
        try {
            return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(facts);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
