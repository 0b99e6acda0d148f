package dev.loopkeeper.cli.print;

import dev.loopkeeper.step.OneLine;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/**
 * The streams, the environment and the terminal of a command.
 *
 * @param out stream of facts
 * @param err stream of messages
 * @param environment environment variables of this process
 * @param screen the terminal that {@code out} is connected to; empty if there is none or it cannot move its cursor
 * @param coloured whether {@code out} shows colours
 * @param program how this program was called, for hints, e.g. {@code ./loopkeeper}
 * @param keyboard lines that a person types; empty unless input and {@code err} are terminals
 */
public record Console(
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        Optional<Screen> screen,
        boolean coloured,
        String program,
        Optional<BufferedReader> keyboard) {
    private static final int BUFFER = 64 * 1024;
    private static final int IN = 0;
    private static final int OUT = 1;
    private static final int ERR = 2;
    private static final MessagePrinter MESSAGES = new MessagePrinter(MessagePrinter.PATIENCE);
    private static volatile boolean messagesAreLogged;

    public static Console system() {
        Map<String, String> environment = System.getenv();
        Optional<Screen> screen = "dumb".equals(environment.get("TERM"))
                ? Optional.empty()
                : terminal(OUT).map(Screen::of);
        boolean coloured = screen.isPresent() && !environment.containsKey("NO_COLOR");
        String program = shortName(System.getProperty("loopkeeper.program", "loopkeeper"), environment);
        PrintStream err =
                new PrintStream(new BufferedOutputStream(ErrorStream.system(), BUFFER), true, StandardCharsets.UTF_8);
        Optional<BufferedReader> keyboard = terminal(IN)
                .filter(input -> errorsAreOnTerminal())
                .map(input -> new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        return new Console(FactStream.system(), err, environment, screen, coloured, program, keyboard);
    }

    /** Returns the file name of this program if {@code PATH} finds the same file by it, otherwise the program. */
    static String shortName(String program, Map<String, String> environment) {
        Path called = Path.of(program);
        String name = called.getFileName().toString();
        try {
            Optional<Path> found = onPath(name, environment);
            return found.isPresent() && Files.isSameFile(found.get(), called) ? name : program;
        } catch (IOException gone) {
            return program;
        }
    }

    /** Returns the program that a shell runs for this name. */
    public static Optional<Path> onPath(String name, Map<String, String> environment) {
        for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            File file = new File(folder, name);
            if (file.isFile() && file.canExecute()) {
                return Optional.of(file.toPath());
            }
        }
        return Optional.empty();
    }

    /** Returns whether the error stream of this process, which log lines go to, is a terminal. */
    public static boolean errorsAreOnTerminal() {
        return terminal(ERR).isPresent();
    }

    /** Checks the file descriptor itself: {@code System.console()} also requires that the input is a terminal. */
    private static Optional<String> terminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            boolean terminal =
                    target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
            return terminal ? Optional.of(target) : Optional.empty();
        } catch (IOException | UnsupportedOperationException unknown) {
            return Optional.empty();
        }
    }

    /** Returns why printed facts were lost, e.g. a full disk. Empty if none were, or if the reader closed the pipe. */
    public Optional<String> loss() {
        return out instanceof FactStream facts ? facts.loss() : Optional.empty();
    }

    /** Prints one line of facts. */
    public void print(String line) {
        out.println(line);
        out.flush();
    }

    /** Asks a person and returns the typed line; an empty one at the end of the input. */
    public String ask(String prompt) {
        err.print(prompt);
        err.flush();
        ErrorStream.system().finish();
        try {
            String line = keyboard.orElseThrow().readLine();
            return line == null ? "" : line;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Makes this process log its messages as log events instead of printing lines of text. */
    public static void logMessages() {
        messagesAreLogged = true;
    }

    /**
     * Prints one message that is not a fact. Control characters in it cannot act on the terminal. Waits one second at
     * most if the terminal does not read, e.g. after Ctrl-S.
     */
    public void warn(String message) {
        String readable = message.lines().map(OneLine::readable).collect(Collectors.joining(System.lineSeparator()));
        if (messagesAreLogged) {
            LoggerFactory.getLogger("dev.loopkeeper").warn(readable);
            return;
        }
        MESSAGES.say(() -> screen.flatMap(Screen::bottom)
                .ifPresentOrElse(frame -> frame.above(() -> say(readable)), () -> say(readable)));
    }

    private void say(String message) {
        err.println("loopkeeper: " + message);
        err.flush();
        // Without this, the next line of the other stream could appear above this message.
        ErrorStream.system().finish();
    }
}
