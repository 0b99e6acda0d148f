package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.chaos.FaultyLink;
import dev.loopkeeper.json.Json;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A feed on which nothing comes: nothing happens, or nobody is there any more. */
class QuietFeedTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final FeedReader.Patience SHORT =
            new FeedReader.Patience(Duration.ofMillis(100), Duration.ofSeconds(4));

    @Test
    void aReaderThatStoodStillAsksBeforeItTakesTheServerForDead(@TempDir Path folder) throws Exception {
        FeedReader.Patience patience = new FeedReader.Patience(Duration.ofMillis(10), Duration.ofSeconds(2));
        CountDownLatch still = new CountDownLatch(1);
        try (FakeKeeper keeper = new FakeKeeper(folder.resolve("data"));
                Session session = new Session(null)) {
            Api api = new Api(
                    session,
                    new ServerLocation(keeper.url, URI.create(keeper.url), Optional.empty(), Optional.empty()));
            try (FeedReader feed = FeedReader.open(api, Optional.empty(), Optional.empty(), patience)) {
                assertThat(feed.next(SOON)).as("the snapshot").isPresent();
                halt(api.vertx(), still);
                assertThat(feed.next(patience.answer().plusSeconds(1))).isEmpty();
                still.countDown();
                keeper.happens(keeper.put("one", "running"), "run.started", Json.MAPPER.createObjectNode());
                assertThat(feed.next(SOON))
                        .as("not ended before the server could answer")
                        .isPresent();
            }
        }
    }

    /** Both event loops: each thread that asks gets the next one. */
    private static void halt(Vertx vertx, CountDownLatch still) throws InterruptedException {
        for (int loop = 0; loop < 2; loop++) {
            Thread asking = new Thread(() -> vertx.runOnContext(now -> await(still)));
            asking.start();
            asking.join();
        }
    }

    private static void await(CountDownLatch still) {
        try {
            still.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aLineThatIsQuietStaysAndOneThatIsDeadEnds(@TempDir Path folder) throws Exception {
        try (FakeKeeper keeper = new FakeKeeper(folder.resolve("data"));
                FaultyLink line = new FaultyLink(URI.create(keeper.url).getPort());
                Session session = new Session(null)) {
            String url = "http://127.0.0.1:" + line.port();
            Api api = new Api(session, new ServerLocation(url, URI.create(url), Optional.empty(), Optional.empty()));
            try (FeedReader feed = FeedReader.open(api, Optional.empty(), Optional.empty(), SHORT)) {
                assertThat(feed.next(SOON)).as("the snapshot").isPresent();
                assertThat(feed.next(SHORT.quiet().plus(SHORT.answer().multipliedBy(2))))
                        .as("it answers when it is asked, and no one is told of that")
                        .isEmpty();
                keeper.happens(keeper.put("one", "running"), "run.started", Json.MAPPER.createObjectNode());
                assertThat(feed.next(SOON)).isPresent();

                line.set(false, false, 0);
                assertThatThrownBy(() -> feed.next(SOON))
                        .isInstanceOf(FeedReader.EndedException.class)
                        .hasMessageContaining("has not answered for");
            }
        }
    }
}
