package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** A command that prints facts, for people or as JSON. */
public abstract class FactsCommand implements Callable<Integer> {
    @ParentCommand
    protected RootCommand root;

    @Mixin
    protected final JsonOption json = new JsonOption();

    /** Reads facts from the server, or from the data folder if there is none; returns the exit code of success. */
    protected final int withFacts(Consumer<RunFacts> reader) {
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            reader.accept(facts);
        }
        return ExitCodes.DONE;
    }

    /** Prints the document of the API as JSON, or what {@code forPeople} makes of its view. */
    protected final <V extends Record> void print(Document<V> document, Consumer<V> forPeople) {
        print(document.json(), () -> forPeople.accept(document.view()));
    }

    /** Prints {@code facts} as JSON, or runs {@code forPeople}, which prints them for people. */
    protected final void print(JsonNode facts, Runnable forPeople) {
        if (json.wanted()) {
            print(JsonOption.pretty(facts));
        } else {
            forPeople.run();
        }
    }

    /** Prints one line of the facts. */
    protected final void print(String line) {
        root.console().print(line);
    }

    /** Prints a message beside the facts, on the error stream. */
    protected final void warn(String message) {
        root.console().warn(message);
    }
}
