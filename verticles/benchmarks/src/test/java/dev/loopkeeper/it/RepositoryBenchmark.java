package dev.loopkeeper.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an iteration of a dev and a judge costs with the defaults of a manifest, by which iterations are compared: in a
 * repository of 5,000 and of 50,000 files of which each iteration changes one, in place and in a worktree. Beside it, in
 * turns, the same with {@code noProgress: 0}. {@code mvn -Pbench test -Dtest=RepositoryBenchmark
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class RepositoryBenchmark {
    private static final int ROUNDS = 5;
    private static final int ITERATIONS = 20;
    private static final int IN_FOLDER = 50;
    private static final int BYTES = 4096;

    @TempDir
    private Path folder;

    @Test
    void measuresARepositoryOf5000Files() throws Exception {
        measure(BenchRows.Row.DEFAULT_5000, 5000);
    }

    @Test
    void measuresARepositoryOf50000Files() throws Exception {
        measure(BenchRows.Row.DEFAULT_50000, 50_000);
    }

    private void measure(BenchRows.Row row, int files) throws Exception {
        try (BenchServer server = BenchServer.start(folder)) {
            makeRepository(server.workspace(), files);
            double[] own = new double[2];
            double[] bare = new double[2];
            for (int place = 0; place < 2; place++) {
                String isolation = place == 0 ? "" : "isolation: {git: worktree}\n";
                List<Double> compared = new ArrayList<>();
                List<Double> uncompared = new ArrayList<>();
                for (int round = 0; round <= ROUNDS; round++) {
                    double with = millis(server, isolation, "");
                    double without = millis(server, isolation, ", noProgress: 0");
                    if (round > 0) { // the first warms up
                        compared.add(with);
                        uncompared.add(without);
                    }
                }
                own[place] = median(compared);
                bare[place] = median(uncompared);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d files: %.1f ms an iteration in place, %.1f in a worktree; beside it %.1f, %.1f ms%n",
                    files,
                    own[0],
                    own[1],
                    bare[0],
                    bare[1]);
            BenchRows.measured(row, BenchRows.figures("ms", own), BenchRows.figures("ms", bare));
        }
    }

    private static double millis(BenchServer server, String isolation, String keys) {
        String manifest = isolation + """
                name: bench
                agents:
                  dev: {command: 'echo "$LOOPKEEPER_RUN_ID $LOOPKEEPER_ITERATION" > a0/b0/file-0'}
                  judge: {command: '"$LOOPKEEPER_SIGNAL" --determination PROGRESS', signal: .loopkeeper/judge.json}
                phases: [{name: build, loop: {steps: [dev, judge], maxIterations: %d%s}}]
                """.formatted(ITERATIONS, keys);
        return IterationBenchmark.iteration(server, manifest, ITERATIONS, 1).millis();
    }

    private static double median(List<Double> values) {
        return values.stream().mapToDouble(value -> value).sorted().toArray()[values.size() / 2];
    }

    /** Changed long before git recorded them: else git reads them again at each call. */
    private static void makeRepository(Path workspace, int files) throws IOException, InterruptedException {
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
        for (int file = 0; file < files; file++) {
            Path parent =
                    workspace.resolve("a" + file / (IN_FOLDER * IN_FOLDER)).resolve("b" + file / IN_FOLDER);
            Files.createDirectories(parent);
            byte[] bytes = new byte[BYTES];
            Arrays.fill(bytes, (byte) file);
            Files.setLastModifiedTime(Files.write(parent.resolve("file-" + file), bytes), longAgo);
        }
        git(workspace, "init", "-q");
        git(workspace, "add", ".");
        git(workspace, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one");
    }

    private static void git(Path workspace, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        Process git = new ProcessBuilder(command)
                .directory(workspace.toFile())
                .inheritIO()
                .start();
        if (git.waitFor() != 0) {
            throw new IllegalStateException("git " + words[0] + " failed");
        }
    }
}
