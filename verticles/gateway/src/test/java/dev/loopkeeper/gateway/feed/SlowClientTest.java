package dev.loopkeeper.gateway.feed;

import static dev.loopkeeper.gateway.GatewayFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.store.MemoryStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a client that is asked for a sign of life and gives none. */
class SlowClientTest {
    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final SilentSink sink = new SilentSink();
    private FeedClient client;

    private static final class SilentSink implements FeedSink {
        final List<String> heard = new CopyOnWriteArrayList<>();
        volatile boolean full;

        @Override
        public boolean full() {
            return full;
        }

        @Override
        public void whenDrained(Runnable again) {}

        @Override
        public void send(String cursor, String text) {
            heard.add(text);
        }

        @Override
        public boolean ping() {
            return false;
        }

        @Override
        public Future<Void> close(CloseReason reason) {
            heard.add(reason.name());
            return Future.succeededFuture();
        }

        @Override
        public void cut() {
            heard.add("cut");
        }
    }

    @BeforeEach
    void open() {
        Feed feed = new Feed(vertx, new MemoryStore(vertx), FeedOptions.DEFAULTS);
        client = onLoop(() -> feed.open(sink, new FeedFilter(Set.of(), Set.of(), Optional.empty())));
        await().until(() -> sink.heard.size() == 1);
    }

    @AfterEach
    void close() {
        soon(vertx.close());
    }

    private <T> T onLoop(Callable<T> work) {
        Promise<T> done = Promise.promise();
        loop.runOnContext(turn -> {
            try {
                done.complete(work.call());
            } catch (Exception failed) {
                done.fail(failed);
            }
        });
        return soon(done.future());
    }

    private List<String> heardAfterAPing() {
        return onLoop(() -> {
            client.ping();
            return sink.heard.subList(1, sink.heard.size());
        });
    }

    @Test
    void aClientThatDoesNotReadWhatWaitsIsToldThatItLags() {
        sink.full = true;
        assertThat(heardAfterAPing()).containsExactly("{\"type\":\"lagged\",\"cursor\":\"0\"}", "LAGGED");
    }

    @Test
    void aClientThatHasAllAndSaysNothingIsCutOff() {
        assertThat(heardAfterAPing()).containsExactly("cut");
    }
}
