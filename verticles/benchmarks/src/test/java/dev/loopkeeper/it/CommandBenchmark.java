package dev.loopkeeper.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long the commands take that ask a running server, from their launch to their end, beside {@code java -version}:
 * {@code mvn -Pbench test -Dtest=CommandBenchmark -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class CommandBenchmark {
    private static final int ROUNDS = 9;
    private static final String SLEEPER = """
            name: commands
            agents: {one: {command: [sleep, '3600']}}
            phases: [{name: work, task: one}]
            """;

    @TempDir
    private Path folder;

    @Test
    void measuresCommandsThatAskAServer() throws Exception {
        try (BenchServer server = BenchServer.start(folder)) {
            List<String> runs = IntStream.range(0, ROUNDS)
                    .mapToObj(run -> server.submit(SLEEPER))
                    .toList();
            runs.forEach(server::untilStarted);
            List<List<Double>> took =
                    List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            String data = server.folder().resolve("data").toString();
            String launcher = LauncherScript.path();
            for (String run : runs) {
                took.get(0).add(millis(launcher, "runs", "--data", data));
                took.get(1).add(millis(launcher, "show", run, "--data", data));
                took.get(2).add(millis(launcher, "stop", run, "--data", data));
                took.get(3).add(millis(LauncherScript.java().resolve("bin/java").toString(), "-version"));
            }
            double[] medians =
                    took.stream().mapToDouble(CommandBenchmark::median).toArray();
            System.out.printf(
                    Locale.ROOT,
                    "runs %.0f ms, show %.0f ms, stop %.0f ms; java -version %.0f ms%n",
                    medians[0],
                    medians[1],
                    medians[2],
                    medians[3]);
            BenchRows.measured(
                    BenchRows.Row.COMMANDS,
                    BenchRows.figures("ms", medians[0], medians[1], medians[2]),
                    BenchRows.figures("ms", medians[3]));
        }
    }

    private double millis(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("verb.txt").toFile());
        LauncherScript.chooseJava(builder);
        long begun = System.nanoTime();
        if (builder.start().waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command));
        }
        return (System.nanoTime() - begun) / 1e6;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
