package dev.loopkeeper.it;

import dev.loopkeeper.FreePorts;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The time from the launcher to the first 200 of {@code serve}, and its memory (PSS) when it has had nothing to do for a
 * while, beside a bare Vert.x server with one route in a plain JVM: {@code mvn -Pbench test -Dtest=StartBenchmark}; see
 * {@link LauncherScript} for which Java both use.
 */
class StartBenchmark {
    private static final int ROUNDS = 5;
    private static final Duration SETTLED = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private record Start(double millis, double mebibytes) {}

    @Test
    void measuresTheLauncherAgainstABareServer() throws Exception {
        // Builds the jar where it is absent or old, and on newer Java the archive of its classes.
        serve();
        List<Start> own = new ArrayList<>();
        List<Start> bare = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            own.add(serve());
            bare.add(bare());
        }
        BenchRows.measured(
                BenchRows.Row.START,
                BenchRows.figures("ms", millis(own, ROUNDS / 2)),
                BenchRows.figures("ms", millis(bare, ROUNDS / 2)));
        BenchRows.measured(
                BenchRows.Row.IDLE,
                BenchRows.figures("MiB", mebibytes(own)),
                BenchRows.figures("MiB", mebibytes(bare)));
        System.out.printf(
                Locale.ROOT,
                "serve %.0f ms (least %.0f), %.0f MiB; a bare server %.0f ms (least %.0f), %.0f MiB; ratio %.2f%n",
                millis(own, ROUNDS / 2),
                millis(own, 0),
                mebibytes(own),
                millis(bare, ROUNDS / 2),
                millis(bare, 0),
                mebibytes(bare),
                millis(own, ROUNDS / 2) / millis(bare, ROUNDS / 2));
    }

    private static double millis(List<Start> starts, int rank) {
        return starts.stream().map(Start::millis).sorted().toList().get(rank);
    }

    private static double mebibytes(List<Start> starts) {
        return starts.stream().map(Start::mebibytes).sorted().toList().get(ROUNDS / 2);
    }

    private Start serve() throws IOException, InterruptedException {
        Path data = Files.createTempDirectory(folder, "data");
        int port = FreePorts.next();
        String launcher = LauncherScript.path();
        return measured(port, launcher, "serve", "--port", Integer.toString(port), "--data", data.toString());
    }

    private Start bare() throws IOException, InterruptedException {
        int port = FreePorts.next();
        String java = LauncherScript.java().resolve("bin/java").toString();
        String classes = System.getProperty("java.class.path");
        return measured(port, java, "-cp", classes, BareServer.class.getName(), Integer.toString(port));
    }

    private Start measured(int port, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile());
        LauncherScript.chooseJava(builder);
        long begun = System.nanoTime();
        Process server = builder.start();
        try {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(20))
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> answers(port));
            double millis = (System.nanoTime() - begun) / 1e6;
            server.waitFor(SETTLED.toMillis(), TimeUnit.MILLISECONDS);
            return new Start(millis, mebibytes(server.pid()));
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private static boolean answers(int port) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health/live"))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            HttpResponse<Void> answer =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
            return answer.statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static double mebibytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")).stream()
                .filter(line -> line.startsWith("Pss:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .sum();
    }

    /** As little as answers. */
    static final class BareServer {
        private BareServer() {}

        public static void main(String[] arguments) {
            Vertx.vertx()
                    .createHttpServer()
                    .requestHandler(request -> request.response().end())
                    .listen(Integer.parseInt(arguments[0]), "127.0.0.1")
                    .onFailure(Throwable::printStackTrace);
        }
    }
}
