package dev.loopkeeper.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Screen;
import dev.loopkeeper.cli.session.RootStarter;
import dev.loopkeeper.json.Json;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Types commands and reads what they print. */
public final class Terminal {
    public final Map<String, String> environment =
            new HashMap<>(Map.of("PATH", System.getenv("PATH"), "LOOPKEEPER_LOG_LEVEL", "WARN"));
    private final Path data;
    /** The terminal on which the answer is read; absent: another program reads it. */
    Optional<Screen> screen = Optional.empty();

    private Optional<BufferedReader> keyboard = Optional.empty();

    public Terminal(Path data) {
        this.data = data;
    }

    /** What a command left behind. */
    public record CommandOutput(int exitCode, String out, String err) {
        public JsonNode json() {
            try {
                return Json.MAPPER.readTree(out);
            } catch (JsonProcessingException notJson) {
                throw new AssertionError(out + err, notJson);
            }
        }
    }

    /** With this terminal's data folder. */
    public CommandOutput type(String... words) {
        return type(EmbeddedRoot::start, words);
    }

    /** The same of a program that starts so what it serves. */
    CommandOutput type(RootStarter starter, String... words) {
        return type(starter, new ByteArrayOutputStream(), words);
    }

    /** The same while a listener receives what goes to its user. */
    CommandOutput type(RootStarter starter, ByteArrayOutputStream err, String... words) {
        environment.putIfAbsent("LOOPKEEPER_DATA", data.toString());
        return said(starter, err, words);
    }

    /** The same; answers while the command is under way. */
    public RunningCommand begin(String... words) {
        environment.putIfAbsent("LOOPKEEPER_DATA", data.toString());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = console(print(out), print(err));
        return new RunningCommand(out, err, () -> new CommandRunner(console, EmbeddedRoot::start).run(words));
    }

    /** The same of a person who types these lines when asked. */
    public CommandOutput answering(String lines, String... words) {
        keyboard = Optional.of(new BufferedReader(new StringReader(lines)));
        try {
            return type(words);
        } finally {
            keyboard = Optional.empty();
        }
    }

    CommandOutput plain(String... words) {
        return said(EmbeddedRoot::start, new ByteArrayOutputStream(), words);
    }

    private CommandOutput said(RootStarter starter, ByteArrayOutputStream err, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int exitCode = new CommandRunner(console(print(out), print(err)), starter).run(words);
        return new CommandOutput(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    Console console(PrintStream out, PrintStream err) {
        return new Console(out, err, environment, screen, false, "loopkeeper", keyboard);
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
