package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.verdict.Signal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A handler under way in a JVM that is ended by {@code kill -9}. */
class HandlerCrashTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final String MANIFEST = """
            name: one
            agents: {dev: {handler: dev}}
            phases: [{name: a, task: dev}]
            """;

    @TempDir
    private Path folder;

    /** The JVM that is killed: its handler never ends. */
    static final class KilledProgram {
        public static void main(String[] folders) {
            Path folder = Path.of(folders[0]);
            LoopkeeperOptions options = LoopkeeperOptions.of(folder.resolve("data"))
                    .handler("dev", step -> {
                        Promise<Signal> never = Promise.promise();
                        Vertx.currentContext()
                                .owner()
                                .fileSystem()
                                .createFileBlocking(folder.resolve("begun").toString());
                        return never.future();
                    });
            Keeper.await(Loopkeeper.start(Vertx.vertx(), options)
                    .compose(keeper -> keeper.submit(
                            MANIFEST,
                            RunOptions.DEFAULTS.workspace(folder.resolve("w")).runId("one-1"))));
        }
    }

    @Test
    void theNextRuntimeLaunchesItAgainAsInterrupted() throws Exception {
        Files.createDirectories(folder.resolve("w"));
        Process runtime = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledProgram.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        try {
            Awaitility.await().atMost(SOON).until(() -> Files.exists(folder.resolve("begun")));
        } finally {
            runtime.destroyForcibly().waitFor();
        }
        Queue<FailureKind> failures = new ConcurrentLinkedQueue<>();
        LoopkeeperOptions options = LoopkeeperOptions.of(folder.resolve("data")).handler("dev", step -> {
            step.context().failure().ifPresent(failure -> failures.add(failure.kind()));
            return Future.succeededFuture(Signal.completed());
        });

        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("w"), options)) {
            keeper.until("one-1", "completed");

            assertThat(failures).containsExactly(FailureKind.INTERRUPTED);
            assertThat(keeper.steps("one-1")).hasSize(2);
        }
    }
}
