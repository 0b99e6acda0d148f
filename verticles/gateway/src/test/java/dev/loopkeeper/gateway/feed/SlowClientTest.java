package dev.loopkeeper.gateway.feed;

import static dev.loopkeeper.gateway.GatewayFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.store.MemoryStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a client that is requested a sign of life and gives none, or takes a moment for it. */
class SlowClientTest {
    private static final Duration OFTEN = Duration.ofMillis(50);

    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final SilentSink sink = new SilentSink();
    private FeedClient client;

    private static class SilentSink implements FeedSink {
        final List<String> received = new CopyOnWriteArrayList<>();
        volatile boolean full;

        @Override
        public boolean full() {
            return full;
        }

        @Override
        public void whenDrained(Runnable again) {}

        @Override
        public void send(String type, String cursor, String text) {
            received.add(text);
        }

        @Override
        public boolean ping() {
            return false;
        }

        @Override
        public Future<Void> close(CloseReason reason) {
            received.add(reason.name());
            return Future.succeededFuture();
        }

        @Override
        public void cut() {
            received.add("cut");
        }
    }

    /** Answers each time, but not before the server does something else. */
    private final class SlowSink extends SilentSink {
        final AtomicInteger asked = new AtomicInteger();
        private boolean answered = true;

        @Override
        public boolean ping() {
            boolean alive = answered;
            answered = false;
            asked.incrementAndGet();
            vertx.setTimer(1, later -> answered = true);
            return alive;
        }
    }

    @BeforeEach
    void open() {
        client = open(new Feed(vertx, new MemoryStore(vertx), FeedOptions.DEFAULTS), sink);
    }

    private FeedClient open(Feed feed, SilentSink at) {
        FeedClient opened = onLoop(() -> feed.open(at, new FeedFilter(Set.of(), Set.of(), Optional.empty())));
        await().until(() -> at.received.size() == 1);
        return opened;
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

    private List<String> receivedAfterAPing() {
        return onLoop(() -> {
            client.ping();
            return sink.received.subList(1, sink.received.size());
        });
    }

    private static boolean standStill(Duration time) {
        return new CompletableFuture<Boolean>()
                .completeOnTimeout(true, time.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    @Test
    void aSlowClientIsReportedAsLagging() {
        sink.full = true;
        assertThat(receivedAfterAPing()).containsExactly("{\"type\":\"lagged\",\"cursor\":\"0\"}", "LAGGED");
    }

    @Test
    void aClientThatHasAllAndSaysNothingIsCutOff() {
        assertThat(receivedAfterAPing()).containsExactly("cut");
    }

    /** The pings that were due in the meantime came all at once, with no time to answer between them, and cut everybody off. */
    @Test
    void aPauseOfTheServerDisconnectsNoResponsiveClient() {
        Feed feed = new Feed(
                vertx,
                new MemoryStore(vertx),
                new FeedOptions(64, 1 << 20, 64 << 10, OFTEN, Duration.ofMinutes(1), 10));
        soon(onLoop(() -> feed.start(new LiveEvents())));
        SlowSink slow = new SlowSink();
        assertThat(open(feed, slow)).isNotNull();

        assertThat(onLoop(() -> standStill(OFTEN.multipliedBy(10)))).isTrue();
        int before = slow.asked.get();
        await().until(() -> slow.asked.get() > before + 2 || slow.received.size() > 1);

        assertThat(slow.received).as("nothing but the snapshot").hasSize(1);
    }
}
