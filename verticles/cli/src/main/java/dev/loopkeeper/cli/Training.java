package dev.loopkeeper.cli;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.data.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the launcher has a new jar do once, so that the virtual machine remembers the classes that it loads: a server, a
 * loop with signals, a stop, and the commands that people type. Java 25 loads everything that it remembers at each
 * start, so that it learns the server, and the commands that only ask one, each by itself.
 */
final class Training {
    private static final Duration SERVED = Duration.ofSeconds(30);
    private static final long LOOK_EVERY_MILLIS = 20;
    private static final Duration ENDED = Duration.ofSeconds(30);
    private static final String OTHERS_END = "300";
    private static final String BESIDE = "beside";

    private static final String LOOP = """
            name: training
            agents:
              dev:
                command: 'printf "{\\"determination\\":\\"PROGRESS\\",\\"nonce\\":\\"%s\\"}" "$LOOPKEEPER_NONCE" >dev.json; echo worked'
                prompt: prompt.md
                signal: dev.json
              judge:
                command: 'if [ "$LOOPKEEPER_ITERATION" -gt 3 ]; then d=SUCCESS; else d=PROGRESS; fi; printf "{\\"determination\\":\\"$d\\"}" >judge.json'
                signal: judge.json
            phases:
              - {name: build, loop: {maxIterations: 9, noProgress: 0, steps: [dev, judge]}}
              - {name: last, task: dev}
            """;
    private static final String SLEEPER = """
            name: sleeper
            agents: {dev: {command: [sleep, "60"], timeout: 1m}}
            phases: [{name: only, task: dev}]
            """;

    private final Path folder;
    private final Path data;

    private Training(Path folder) {
        this.folder = folder;
        this.data = folder.resolve("data");
    }

    /**
     * Exits with 1 when a command failed, which then was not learnt.
     *
     * @param arguments a folder that is there and empty, and what is learnt: {@code all}, {@code server} or
     *     {@code commands}, whose server is another process; or {@code beside} and the words of a command that ends
     *     with its input
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments[0].equals(BESIDE)) {
            endWithInput();
            Main.main(Arrays.copyOfRange(arguments, 1, arguments.length));
            return;
        }
        Training training = new Training(Path.of(arguments[0]).toRealPath());
        training.writeManifests();
        boolean learnt = switch (arguments[1]) {
            case "all" -> training.serve() && training.ask() && training.stop();
            case "server" -> training.serve() && training.stop();
            case "commands" -> training.askAnother();
            default -> throw new IllegalArgumentException(arguments[1]);
        };
        // Exiting ends the server in an orderly way.
        System.exit(learnt ? 0 : 1);
    }

    private void writeManifests() throws IOException {
        Files.writeString(folder.resolve("loop.yaml"), LOOP);
        Files.writeString(folder.resolve("sleeper.yaml"), SLEEPER);
        Files.writeString(folder.resolve("prompt.md"), "{{iteration}} {{signalFile}} {{feedback}}");
    }

    private boolean serve() throws InterruptedException {
        Thread server = new Thread(() -> type("serve", "--port", "0"), "loopkeeper-training");
        server.setDaemon(true);
        server.start();
        awaitServer();
        return type("submit", manifest("loop.yaml"), "--run-id", "loop")
                && type("wait", "loop", "--timeout", "4m")
                && type("logs", "loop")
                && type("submit", manifest("sleeper.yaml"), "--run-id", "sleeper");
    }

    private boolean ask() {
        return type("runs")
                && type("show", "loop")
                && type("show", "loop", "--json")
                && type("explain", "loop")
                && type("watch", "loop")
                && type("wait", "loop")
                && type("ps");
    }

    private boolean stop() {
        return type("stop", "sleeper");
    }

    private boolean askAnother() throws IOException, InterruptedException {
        Process server = beside("serve", "--port", "0");
        try {
            awaitServer();
            return beside("submit", manifest("loop.yaml"), "--run-id", "loop").waitFor() == 0
                    && beside("submit", manifest("sleeper.yaml"), "--run-id", "sleeper")
                                    .waitFor()
                            == 0
                    && ask()
                    && stop();
        } finally {
            server.destroy();
            // It writes to the folder, which is removed behind this.
            boolean unused = server.waitFor(ENDED.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Whoever started this process holds the other end: the system lets go of it, however that one ends. */
    private static void endWithInput() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nobody writes.
                        }
                    } catch (IOException broken) {
                        System.err.println("the input of a training's process is gone: " + broken);
                    }
                    System.exit(1);
                },
                "loopkeeper-training-watch");
        watch.setDaemon(true);
        watch.start();
    }

    /** The program with these words in another process, which ends with this one, and after some minutes anyhow. */
    private Process beside(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "timeout",
                OTHERS_END,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Training.class.getName(),
                BESIDE));
        command.addAll(List.of(withData(words)));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void awaitServer() throws InterruptedException {
        long deadline = System.nanoTime() + SERVED.toNanos();
        while (new DataFolder(data).serverFile().read().isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
    }

    private String manifest(String name) {
        return folder.resolve(name).toString();
    }

    /** What it answers nobody reads. */
    @CanIgnoreReturnValue
    private boolean type(String... words) {
        int code = new CommandRunner(Console.system(), EmbeddedRoot::start).run(withData(words));
        if (code != 0) {
            System.err.println(String.join(" ", words) + ": exit code " + code);
        }
        return code == 0;
    }

    private String[] withData(String... words) {
        String[] all = Arrays.copyOf(words, words.length + 2);
        all[words.length] = "--data";
        all[words.length + 1] = data.toString();
        return all;
    }
}
