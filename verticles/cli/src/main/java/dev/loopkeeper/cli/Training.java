package dev.loopkeeper.cli;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.data.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * What the launcher has a new jar do once, so that the virtual machine remembers the classes that it loads, and from
 * Java 25 on what it learnt of them: a server, a loop with signals, a stop, and the commands that people type, all in
 * this one process.
 */
final class Training {
    private static final Duration SERVED = Duration.ofSeconds(30);
    private static final long LOOK_EVERY_MILLIS = 20;
    private static final int ROUNDS = 1;

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
     * @param arguments a folder that is there and empty
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        // Exiting ends the server in an orderly way.
        System.exit(new Training(Path.of(arguments[0]).toRealPath()).run() ? 0 : 1);
    }

    private boolean run() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("loop.yaml"), LOOP);
        Files.writeString(folder.resolve("sleeper.yaml"), SLEEPER);
        Files.writeString(folder.resolve("prompt.md"), "{{iteration}} {{signalFile}} {{feedback}}");
        Thread server = new Thread(() -> type("serve", "--port", "0"), "loopkeeper-training");
        server.setDaemon(true);
        server.start();
        awaitServer();
        boolean learnt = true;
        for (int round = 1; round <= ROUNDS; round++) {
            learnt &= use("loop-" + round, "sleeper-" + round);
        }
        return learnt;
    }

    private void awaitServer() throws InterruptedException {
        long deadline = System.nanoTime() + SERVED.toNanos();
        while (new DataFolder(data).serverFile().read().isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
    }

    private boolean use(String loop, String sleeper) {
        return type("submit", manifest("loop.yaml"), "--run-id", loop)
                && type("wait", loop, "--timeout", "4m")
                && type("runs")
                && type("show", loop)
                && type("show", loop, "--json")
                && type("explain", loop)
                && type("logs", loop)
                && type("watch", loop)
                && type("submit", manifest("sleeper.yaml"), "--run-id", sleeper)
                && type("ps")
                && type("stop", sleeper);
    }

    private String manifest(String name) {
        return folder.resolve(name).toString();
    }

    /** What it answers nobody reads. */
    @CanIgnoreReturnValue
    private boolean type(String... words) {
        String[] all = Arrays.copyOf(words, words.length + 2);
        all[words.length] = "--data";
        all[words.length + 1] = data.toString();
        int code = new CommandRunner(Console.system(), EmbeddedRoot::start).run(all);
        if (code != 0) {
            System.err.println(String.join(" ", words) + ": exit code " + code);
        }
        return code == 0;
    }
}
