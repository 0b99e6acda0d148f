package dev.loopkeeper.cli.print;

import dev.loopkeeper.step.OneLine;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/**
 * Where a command reads its surroundings and writes its answer.
 *
 * @param out facts
 * @param err messages
 * @param environment variables of this process
 * @param screen the terminal that {@code out} is; absent where it is none, or one that cannot move its cursor
 * @param coloured whether {@code out} shows colours
 * @param program how this program was called, for hints, e.g. {@code ./loopkeeper}
 */
public record Console(
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        Optional<Screen> screen,
        boolean coloured,
        String program) {
    private static final int BUFFER = 64 * 1024;
    private static final int OUT = 1;
    private static final int ERR = 2;
    private static final Voice VOICE = new Voice();
    private static volatile boolean messagesAreLogged;

    public static Console system() {
        Map<String, String> environment = System.getenv();
        Optional<Screen> screen = "dumb".equals(environment.get("TERM"))
                ? Optional.empty()
                : terminal(OUT).map(Screen::of);
        boolean coloured = screen.isPresent() && !environment.containsKey("NO_COLOR");
        String program = System.getProperty("loopkeeper.program", "loopkeeper");
        PrintStream err =
                new PrintStream(new BufferedOutputStream(ErrorStream.system(), BUFFER), true, StandardCharsets.UTF_8);
        return new Console(FactStream.system(), err, environment, screen, coloured, program);
    }

    /** Whether the error stream of this process, where it logs, is a terminal. */
    public static boolean errorsAreOnTerminal() {
        return terminal(ERR).isPresent();
    }

    /** Asked of the descriptor itself: {@code System.console()} also wants the input to be a terminal. */
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

    /** Why facts that were printed are lost, a full disk for example; empty when they are not, or nobody wanted more. */
    public Optional<String> loss() {
        return out instanceof FactStream facts ? facts.loss() : Optional.empty();
    }

    /** One line of facts. */
    public void print(String line) {
        out.println(line);
        out.flush();
    }

    /** From now on messages of this process are log events, not lines of text. */
    public static void logMessages() {
        messagesAreLogged = true;
    }

    /**
     * One message that is no fact. Names of files and answers of others in it cannot act on a terminal. Where nobody reads,
     * a terminal that was halted for example, this waits for a second at most.
     */
    public void warn(String message) {
        String readable = message.lines().map(OneLine::readable).collect(Collectors.joining(System.lineSeparator()));
        if (messagesAreLogged) {
            LoggerFactory.getLogger("dev.loopkeeper").warn(readable);
            return;
        }
        VOICE.say(() -> screen.flatMap(Screen::bottom)
                .ifPresentOrElse(frame -> frame.above(() -> say(readable)), () -> say(readable)));
    }

    private void say(String message) {
        err.println("loopkeeper: " + message);
        err.flush();
        // Else what comes next on the other stream would stand above it.
        ErrorStream.system().finish();
    }
}
