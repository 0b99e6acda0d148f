package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.chaos.FaultyLink;
import dev.loopkeeper.json.Json;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A feed on which nothing comes: nothing happens, or nobody is there any more. */
class QuietFeedTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final FeedReader.Patience SHORT =
            new FeedReader.Patience(Duration.ofMillis(100), Duration.ofSeconds(4));

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
