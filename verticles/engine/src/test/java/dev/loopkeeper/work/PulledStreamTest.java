package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PulledStreamTest {
    private final Vertx vertx = Vertx.vertx();
    private final Queue<String> taken = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void deliversNothingWhilePausedAndAllOfItLater() throws Exception {
        Promise<Optional<Buffer>> first = Promise.promise();
        AtomicInteger reads = new AtomicInteger();
        PulledStream stream = new PulledStream(
                vertx,
                () -> switch (reads.getAndIncrement()) {
                    case 0 -> first.future();
                    case 1 -> Future.succeededFuture(Optional.of(Buffer.buffer("b")));
                    default -> Future.succeededFuture(Optional.empty());
                },
                closed::countDown);
        stream.handler(piece -> taken.add(piece.toString()));
        Awaitility.await().until(() -> reads.get() == 1);

        stream.pause();
        first.complete(Optional.of(Buffer.buffer("a")));
        vertx.timer(50).await(10, TimeUnit.SECONDS);
        assertThat(taken).isEmpty();
        stream.fetch(1);
        Awaitility.await().until(() -> List.copyOf(taken).equals(List.of("a")));
        stream.resume();

        assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(taken).containsExactly("a", "b");
    }

    @Test
    void aReaderThatThrowsGetsTheRest() throws Exception {
        Queue<Optional<Buffer>> pieces = new ConcurrentLinkedQueue<>(
                List.of(Optional.of(Buffer.buffer("a")), Optional.of(Buffer.buffer("b")), Optional.empty()));
        PulledStream stream = new PulledStream(vertx, () -> Future.succeededFuture(pieces.remove()), closed::countDown);

        stream.handler(piece -> {
            taken.add(piece.toString());
            throw new IllegalStateException("the reader has a bug");
        });

        assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(taken).containsExactly("a", "b");
    }
}
