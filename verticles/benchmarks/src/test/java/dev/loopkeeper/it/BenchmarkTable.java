package dev.loopkeeper.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestClassOrder;

/**
 * Every benchmark of the way that users walk, one after the other, and all that they measured as one table at the end,
 * also in {@code verticles/benchmarks/target/benchmarks.md}; see {@code docs/benchmarks.md}.
 */
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class BenchmarkTable {
    private static final Path FILE = Path.of("target", "benchmarks.md");
    private static final String LOAD = load();

    @AfterAll
    static void print() throws IOException {
        String java = LauncherScript.java().getFileName() + ", "
                + Runtime.getRuntime().availableProcessors();
        String text = "Java of " + java + " processors; load " + LOAD + " before, " + load() + " after; "
                + "until " + Instant.now().truncatedTo(ChronoUnit.SECONDS)
                + ". Other programs (cfcf, Supervisor, pm2) are not run.\n\n" + BenchRows.table();
        System.out.println(text);
        Files.createDirectories(FILE.toAbsolutePath().getParent());
        Files.writeString(FILE, text);
    }

    private static String load() {
        try {
            return Files.readString(Path.of("/proc/loadavg"), StandardCharsets.US_ASCII)
                    .split(" ", 2)[0];
        } catch (IOException unknown) {
            return "unknown";
        }
    }

    @Nested
    @Order(1)
    class Repositories extends RepositoryBenchmark {}

    @Nested
    @Order(2)
    class Starts extends StartBenchmark {}

    @Nested
    @Order(3)
    class Iterations extends IterationBenchmark {}

    @Nested
    @Order(4)
    class Control extends ControlBenchmark {}

    @Nested
    @Order(5)
    class Commands extends CommandBenchmark {}

    @Nested
    @Order(6)
    class Followed extends FollowBenchmark {}

    @Nested
    @Order(7)
    class Open extends OpenBesideBenchmark {}

    @Nested
    @Order(8)
    class Restarts extends RestartBenchmark {}

    @Nested
    @Order(9)
    class LongRuns extends LongRunBenchmark {}
}
