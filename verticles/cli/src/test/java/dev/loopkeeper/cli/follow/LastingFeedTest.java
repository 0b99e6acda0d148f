package dev.loopkeeper.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.chaos.FaultyLink;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.FakeKeeper;
import dev.loopkeeper.cli.session.ServerLocation;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who follows a server that dropped the connection, as it does with who stood still for a minute. */
class LastingFeedTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void continuesAtItsPositionAndEndsWithTheServer(@TempDir Path folder) throws Exception {
        try (Session session = FakeKeeper.session()) {
            List<String> reported = new ArrayList<>();
            LastingFeed feed;
            try (FakeKeeper keeper = new FakeKeeper(folder.resolve("data"));
                    FaultyLink line = new FaultyLink(URI.create(keeper.url).getPort())) {
                String url = "http://127.0.0.1:" + line.port();
                feed = LastingFeed.open(
                        session.at(new ServerLocation(url, Optional.empty(), Optional.empty())), Optional.empty());
                receive(feed, reported, 1);
                begins(keeper, "one");
                receive(feed, reported, 2);
                line.cut();
                begins(keeper, "two");
                receive(feed, reported, 3);
                assertThat(reported).containsExactly("snapshot", "run.started of one", "run.started of two");
            }
            assertThatThrownBy(() -> receive(feed, reported, 4))
                    .isInstanceOf(FeedReader.EndedException.class)
                    .hasMessage("has closed the feed");
        }
    }

    private static void begins(FakeKeeper keeper, String runId) {
        keeper.happens(keeper.put(runId, "running"), "run.started", Json.MAPPER.createObjectNode());
    }

    private static void receive(LastingFeed feed, List<String> reported, int messages) {
        while (reported.size() < messages) {
            feed.next(SOON)
                    .map(Document::view)
                    .ifPresent(message -> reported.add(
                            message.isSnapshot() ? message.type() : message.type() + " of " + message.runId()));
        }
    }
}
