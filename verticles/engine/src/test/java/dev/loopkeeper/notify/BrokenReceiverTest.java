package dev.loopkeeper.notify;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** A receiver that is no web server. */
@Isolated("reads the log of the process, or changes what it has once")
class BrokenReceiverTest {
    @TempDir
    private Path data;

    private NotifyHarness harness;

    @BeforeEach
    void open() {
        harness = new NotifyHarness(data);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    /** It was an error of the log, without a word of whose connection it was. */
    @Test
    void aReceiverWithoutHttpYieldsTheReasonOnly() throws IOException {
        ListAppender<ILoggingEvent> errors = new ListAppender<>();
        errors.start();
        Logger connections = (Logger) LoggerFactory.getLogger("io.vertx.core.net");
        connections.addAppender(errors);
        try (ServerSocket odd = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> answerOddly(odd));
            String id = harness.deploy(Map.of());
            harness.create("r", "[{webhook: \"http://127.0.0.1:" + odd.getLocalPort() + "\", events: [notice]}]");
            harness.notice("r", 2, "one");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(harness.pending())
                            .extracting(OutboxCursor::tries)
                            .allMatch(tries -> tries > 0)
                            .isNotEmpty());
            assertThat(answered).succeedsWithin(Duration.ofMinutes(1));
            harness.undeploy(id);
        } finally {
            connections.detachAppender(errors);
        }
        assertThat(errors.list)
                .filteredOn(said -> said.getLevel().isGreaterOrEqual(Level.WARN))
                .isEmpty();
    }

    private static void answerOddly(ServerSocket odd) {
        try (Socket taken = odd.accept()) {
            assertThat(taken.getInputStream().read()).isNotNegative();
            taken.getOutputStream().write("odd\n\n".getBytes(StandardCharsets.UTF_8));
            // Until the client has read it, and hangs up.
            taken.shutdownOutput();
            taken.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException over) {
            throw new UncheckedIOException(over);
        }
    }
}
