package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.loopkeeper.chaos.FaultyLink;
import dev.loopkeeper.cli.Terminal;
import dev.loopkeeper.cli.follow.FeedReader;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.ServerAddress;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Runs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that was halted: connections come about, and nothing is ever answered. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HungServerTest {
    private static final Duration AT_ONCE = Duration.ofSeconds(4);

    @TempDir
    Path folder;

    private ServerSocket halted;
    private String url;
    private Terminal terminal;

    @BeforeEach
    void open() throws IOException {
        halted = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        url = "http://127.0.0.1:" + halted.getLocalPort();
        terminal = new Terminal(folder.resolve("data"));
    }

    @AfterEach
    void close() throws IOException {
        halted.close();
    }

    @Test
    void aWaitIsOverAtItsTimeout() {
        Terminal.CommandOutput result = terminal.type("wait", "-", "--timeout", "200ms", "--server", url);
        assertThat(result.exitCode()).isEqualTo(124);
        assertThat(result.err()).contains("gave up waiting for - after", url, "does not answer");
    }

    @Test
    void aWaitTimesOutThoughTheServerHalts() throws Exception {
        try (FakeKeeper keeper = new FakeKeeper(folder.resolve("data"));
                FaultyLink line = new FaultyLink(URI.create(keeper.url).getPort())) {
            keeper.put("one", "running");
            var waiting = CompletableFuture.supplyAsync(() ->
                    terminal.type("wait", "one", "--timeout", "4s", "--server", "http://127.0.0.1:" + line.port()));
            Awaitility.await()
                    .until(() -> waiting.isDone()
                            || keeper.asked.stream()
                                            .filter(GetRun.class::isInstance)
                                            .count()
                                    > 1);
            line.set(false, false, 0);
            assertThat(waiting.get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(124);
        }
    }

    /** Nothing but what is left of the time, once the command had a moment. */
    @Test
    void noAnswerIsWaitedForMuchLongerThanTheTimeout() {
        Deadline over = Deadline.after(Optional.of(Duration.ofMillis(1)));
        assertThat(over.forAnswer(Duration.ofSeconds(30))).isBetween(Duration.ofMillis(100), Duration.ofMillis(500));
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(over.forAnswer(Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(100)));
        assertThat(Deadline.after(Optional.of(Duration.ofSeconds(9))).forAnswer(Duration.ofSeconds(30)))
                .isLessThan(Duration.ofMillis(9101));
        assertThat(Deadline.never().forAnswer(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(30));
    }

    /** Waiting for the server's farewell delays every close, a busy machine only some. */
    @Test
    void aFeedOfAServerThatIsHaltedIsClosedAtOnce() throws Exception {
        Duration quickest = Duration.ofDays(1);
        for (int attempt = 0; attempt < 3 && quickest.compareTo(AT_ONCE) >= 0; attempt++) {
            Duration closing = closingOfAHaltedFeed();
            quickest = closing.compareTo(quickest) < 0 ? closing : quickest;
        }
        assertThat(quickest).isLessThan(AT_ONCE);
    }

    private Duration closingOfAHaltedFeed() throws Exception {
        try (FakeKeeper keeper = new FakeKeeper(folder.resolve("data"));
                FaultyLink line = new FaultyLink(URI.create(keeper.url).getPort())) {
            String far = "http://127.0.0.1:" + line.port();
            long begun;
            try (Session session = new Session(null)) {
                Api api = new Api(session, new ServerLocation(far, Optional.empty(), Optional.empty()));
                FeedReader feed = FeedReader.open(api, Optional.empty(), Optional.empty());
                line.set(false, false, 0);
                begun = System.nanoTime();
                feed.close();
            }
            return Duration.ofNanos(System.nanoTime() - begun);
        }
    }

    /** It was waited for as long as its work may take: five minutes, of which a person sees nothing. */
    @Test
    void whatTakesLongIsWaitedForOnlyWhileTheServerLives() {
        try (Session session = new Session(null)) {
            Api api = new Api(session, new ServerLocation(url, Optional.empty(), Optional.empty()));
            Api brief = api.within(Duration.ofMillis(300));
            assertThatThrownBy(() -> brief.postPatiently(
                            "/runs/prune", Json.MAPPER.createObjectNode(), Duration.ofMinutes(5), Runs.class))
                    .isInstanceOf(ServerSilent.class)
                    .hasMessageContaining(url)
                    .hasMessageContaining("no sign of life within 0.3s");
        }
    }

    @Test
    void theProcessThatIsHaltedIsNamed() throws Exception {
        Process owner = new ProcessBuilder("cat").start();
        try {
            DataFolder data = new DataFolder(folder.resolve("data")).prepare();
            Files.writeString(data.path().resolve("owner.lock"), owner.pid() + "\n");
            data.serverFile().write(new ServerAddress(url, owner.pid(), Instant.now()));

            Terminal.CommandOutput result = terminal.type("stop", "-", "--timeout", "200ms");

            assertThat(result.exitCode()).isEqualTo(7);
            assertThat(result.err()).contains("process " + owner.pid(), "kill -CONT " + owner.pid());
        } finally {
            owner.destroyForcibly().onExit().join();
        }
    }

    @Test
    void aStopThatHasNoTimeNamesTheServer() {
        Terminal.CommandOutput result = terminal.type("stop", "-", "--timeout", "200ms", "--server", url);
        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.err()).contains("the server at " + url + " does not answer");
    }

    @Test
    void waitsForAFeedAsLongAsForOtherAnswers() {
        try (Session session = new Session(null)) {
            Api api = new Api(session, new ServerLocation(url, Optional.empty(), Optional.empty()));
            Api brief = api.within(Duration.ofMillis(200));
            assertThatThrownBy(() -> FeedReader.open(brief, Optional.empty(), Optional.empty()))
                    .isInstanceOf(ServerSilent.class)
                    .hasMessageContaining(url);
            Api late = api.until(Deadline.after(Optional.of(Duration.ofMillis(200))));
            Throwable first = catchThrowable(() -> FeedReader.open(late, Optional.empty(), Optional.empty()));
            Throwable second = catchThrowable(() -> late.look("one"));
            assertThat(first).isInstanceOf(ServerSilent.class);
            assertThat(second).isInstanceOf(ServerSilent.class);
        }
    }
}
