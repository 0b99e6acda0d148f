package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartedLauncherTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() throws Exception {
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({"echo 7 8; echo 9, 3", "true, 0", "printf 7, 1", "cat /dev/zero, 65536"})
    void readsOneLineAndNoEndlessOne(String program, int length) throws Exception {
        Process process = StartedLauncher.begin(new ProcessBuilder("sh", "-c", program));
        try {
            StartedLauncher launcher = new StartedLauncher(process, vertx.createSharedWorkerExecutor("test"));

            assertThat(launcher.firstLine().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .hasSize(length);
        } finally {
            process.destroyForcibly();
        }
    }
}
