package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * Someone who has a document before them and types what it says into one shell, in the order in which it stands. What
 * the test expects next must be what the document has next, so neither can change without the other.
 */
final class Reader implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern URL = Pattern.compile("serves at (http\\S+)");
    private static final String SERVER = "http://127.0.0.1:7420";

    /** What was done, one line for each command; for people. */
    final List<String> report = new ArrayList<>();

    private final String document;
    private final Map<String, String> notRun;
    private final Deque<Object> ahead = new ArrayDeque<>();
    private final Map<String, String> places = new LinkedHashMap<>();
    private final Path folder;
    private final Path transcript;
    private final Process shell;
    private final OutputStream keys;
    private int typed;
    /** Where in the transcript the output of the last command begins. */
    private int said;

    /**
     * @param folder where the shell begins; its {@code home} is the home
     * @param path where programs are searched for, besides those of the system
     * @param notRun commands that no test can type here, with the reason
     */
    Reader(String document, Path folder, Path path, Map<String, String> notRun) throws IOException {
        this.document = document;
        this.folder = folder;
        this.notRun = notRun;
        for (Fence fence : Fence.of(Path.of("../..", document))) {
            if (fence.commands().isEmpty()) {
                ahead.add(fence);
            } else {
                ahead.addAll(fence.commands());
            }
        }
        Path home = Files.createDirectories(folder.resolve("home"));
        transcript = Files.createFile(home.resolve("transcript"));
        ProcessBuilder builder = new ProcessBuilder("/bin/sh")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(transcript.toFile()));
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH",
                        home + "/.local/bin:" + path + ":/usr/bin:/bin",
                        "HOME",
                        home.toString(),
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "LOOPKEEPER_JAVA_OPTS",
                        String.join(" ", SharedClasses.use()),
                        "LOOPKEEPER_PORT",
                        "0"));
        shell = builder.start();
        keys = shell.getOutputStream();
    }

    Path folder() {
        return folder;
    }

    /** Where the document names a place of its own, this one is meant. */
    void means(String place, Object here) {
        places.put(place, here.toString());
    }

    /** Blocks that are no commands, up to the next command: facts that other tests hold. */
    void passes(String... languages) {
        for (String language : languages) {
            assertThat(ahead.peek()).isInstanceOf(Fence.class);
            assertThat(((Fence) ahead.remove()).language()).as(document).isEqualTo(language);
        }
    }

    /** The next block is a file of this name. */
    void writes(String name) throws IOException {
        assertThat(ahead.peek()).as(document).isInstanceOf(Fence.class);
        Fence fence = (Fence) ahead.remove();
        Files.writeString(folder.resolve(name), fence.text());
    }

    /** Types the next command, which begins so, and ends with 0; answers with what it printed. */
    @CanIgnoreReturnValue
    String types(String beginning) throws IOException {
        return types(beginning, 0);
    }

    @CanIgnoreReturnValue
    String types(String beginning, int exitCode) throws IOException {
        Fence.Command command = next(beginning);
        return run(command.text(), exitCode);
    }

    /** Types the next command, which continues automatically, and ends it once it has printed this. */
    void watches(String beginning, String text) throws IOException {
        Fence.Command command = next(beginning);
        int before = Files.readString(transcript).length();
        run("{ " + command.text() + "\n} & watching=$!", 0);
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> Files.readString(transcript).substring(before).contains(text));
        own("kill $watching; wait $watching || :");
    }

    /** The next command begins so and is one of those that cannot be typed here. */
    void skips(String beginning) {
        Object next = ahead.remove();
        assertThat(next).as(document).isInstanceOf(Fence.Command.class);
        String text = ((Fence.Command) next).text();
        assertThat(text).startsWith(beginning);
        assertThat(notRun).as(document).containsKey(document + ": " + text);
        report.add("not run: " + text + "   (" + notRun.get(document + ": " + text) + ")");
    }

    private Fence.Command next(String beginning) {
        Object next = ahead.poll();
        assertThat(next).as(document + ", where " + beginning + " is due").isInstanceOf(Fence.Command.class);
        Fence.Command command = (Fence.Command) next;
        assertThat(command.text()).as(document).startsWith(beginning);
        assertThat(notRun).doesNotContainKey(document + ": " + command.text());
        report.add(command.text());
        return command;
    }

    /** What the document leaves to its reader: it must succeed. */
    @CanIgnoreReturnValue
    String own(String command) throws IOException {
        return run(command, 0);
    }

    /** This server's URL stands for the usual one. */
    void meets(String url) {
        means(SERVER, url);
    }

    /** Waits until the server that the last command started prints its URL, which then stands for the usual one. */
    void meetsServer() {
        meets(Awaitility.await()
                .atMost(PATIENCE)
                .until(
                        () -> {
                            Matcher matcher =
                                    URL.matcher(Files.readString(transcript).substring(said));
                            String last = "";
                            while (matcher.find()) {
                                last = matcher.group(1);
                            }
                            return last;
                        },
                        url -> !url.isEmpty()));
    }

    @CanIgnoreReturnValue
    private String run(String command, int exitCode) throws IOException {
        String text = command;
        for (Map.Entry<String, String> place : places.entrySet()) {
            text = text.replace(place.getKey(), place.getValue());
        }
        int number = ++typed;
        said = Files.readString(transcript).length();
        String remember = text.endsWith("&") ? "background=\"$background $!\"; " : "";
        keys.write(("{ " + text + "\n} </dev/null; status=$?; " + remember + "printf '\\n@%s@%s@\\n' " + number
                        + " $status; (exit $status)\n")
                .getBytes(StandardCharsets.UTF_8));
        keys.flush();
        Pattern end = Pattern.compile("\n@" + number + "@(\\d+)@\n");
        Matcher ended = Awaitility.await(document + ": " + command)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> end.matcher(Files.readString(transcript).substring(said)), Matcher::find);
        String output = Files.readString(transcript).substring(said).replaceAll("\n@\\d+@\\d+@\n", "");
        assertThat(ended.group(1)).as(document + ": " + text + "\n" + output).isEqualTo("" + exitCode);
        return output;
    }

    /** Nothing of the document is left. */
    void isThrough() {
        assertThat(ahead).as(document).isEmpty();
    }

    @Override
    public void close() throws IOException {
        try {
            keys.write("[ -z \"$background\" ] || kill $background 2>/dev/null; wait; exit\n"
                    .getBytes(StandardCharsets.UTF_8));
            keys.close();
            if (!shell.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(document + ": the shell does not end: " + Files.readString(transcript));
            }
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
    }
}
