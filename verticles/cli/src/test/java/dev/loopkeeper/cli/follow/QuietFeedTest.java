package dev.loopkeeper.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.chaos.FaultyLink;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.FakeKeeper;
import dev.loopkeeper.cli.session.ServerLocation;
import dev.loopkeeper.cli.session.Session;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that sends neither events nor comments on its feed. */
class QuietFeedTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void aServerThatSendsNothingIsTreatedAsDead(@TempDir Path folder) throws Exception {
        try (FakeKeeper keeper = new FakeKeeper(folder.resolve("data"));
                FaultyLink line = new FaultyLink(URI.create(keeper.url).getPort());
                Session session = FakeKeeper.session()) {
            String url = "http://127.0.0.1:" + line.port();
            Api api = session.at(new ServerLocation(url, Optional.empty(), Optional.empty()));
            try (FeedReader feed = FeedReader.open(api, Optional.empty(), Optional.empty(), Duration.ofSeconds(1))) {
                assertThat(feed.next(SOON)).as("the snapshot").isPresent();
                line.set(false, false, 0);
                assertThatThrownBy(() -> feed.next(SOON))
                        .isInstanceOf(FeedReader.EndedException.class)
                        .hasMessage("has not answered for 1 s");
            }
        }
    }
}
