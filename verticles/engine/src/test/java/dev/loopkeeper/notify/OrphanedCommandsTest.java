package dev.loopkeeper.notify;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which commands of a former runtime still run. */
class OrphanedCommandsTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() throws Exception {
        assertThat(vertx.close().await(60, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void aLookThatFailedIsMadeAgainAndOneThatSucceededIsNot() {
        Set<String> left = Set.of("command-1");
        Queue<Future<Set<String>>> looks = new ArrayDeque<>(
                List.of(Future.failedFuture(new IOException("too many open files")), Future.succeededFuture(left)));
        NotifyCommand commands = new NotifyCommand(
                vertx,
                vertx.createSharedWorkerExecutor("test"),
                Path.of("data"),
                Duration.ofSeconds(1),
                marks -> looks.remove());

        assertThat(commands.outlived().failed()).isTrue();
        assertThat(commands.outlived().result()).isEqualTo(left);
        assertThat(commands.outlived().result()).isEqualTo(left);
        assertThat(looks).isEmpty();
    }
}
