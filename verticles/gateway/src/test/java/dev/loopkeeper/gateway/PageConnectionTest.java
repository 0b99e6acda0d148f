package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.FreePorts;
import dev.loopkeeper.embed.Keeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WindowType;

/** The page through a restart of its server, in many tabs, and where it may have no thread or WebSocket. */
class PageConnectionTest extends WithServer {
    private static final int MANY_TABS = 5;

    private static final String NO_THREADS =
            "window.Worker = class { constructor() { throw new DOMException('no threads', 'SecurityError'); } };";

    @Test
    void aLogIsFollowedThroughARestartOfTheServer(@TempDir Path own) throws IOException {
        int port = FreePorts.next();
        Keeper first = serve(own, port, options -> options);
        String runId = start(
                first,
                "talking",
                "echo one\nwhile [ ! -f two ]; do sleep 0.1; done\necho two\nwhile [ ! -f end ]; do sleep 0.1; done\n"
                        + "echo three; echo '{\"determination\": \"SUCCESS\"}' > talking.json",
                "");
        browser.go(first.url() + "/#/runs/" + runId + "/steps/build.1.dev.1");
        sees("#log .text", "one");
        first.close();
        sees("#connection", "lost");
        sees("#lost", "The server does not answer.");
        String numbers = browser.driver.findElement(By.className("numbers")).getText();
        browser.until(
                "the loss does not get older",
                now -> !now.findElement(By.id("connection")).getText().contains("lost 0."));
        assertThat(browser.driver.findElement(By.className("numbers")).getText())
                .as("the time of a run whose server is lost")
                .isEqualTo(numbers);
        assertThat(browser.ofModule("api.js", "return it.get('/processes').catch(failed => failed.message);"))
                .isEqualTo("\"The server cannot be reached.\"");
        Files.createFile(own.resolve("work/two"));
        try (Keeper second =
                await().ignoreExceptions().until(() -> serve(own, port, options -> options), Objects::nonNull)) {
            sees("#connection", "live");
            sees(".notice", "The server was restarted; 1 run continues.");
            sees("#log .line:nth-child(2)", "two");
            Files.createFile(own.resolve("work/end"));
            sees(".run-head h1", "completed");
            sees("#log .line:nth-child(3)", "three");
            browser.until(
                    "a line was lost or came twice",
                    now -> now.executeScript(
                            "return [...document.querySelectorAll('#log .text')].map(it => it.textContent).join() === 'one,two,three'"));
            second.untilEnded(runId);
            browser.leave();
        }
    }

    /** Browsers keep six connections to one server. */
    @Test
    void manyTabsThatFollowLogsDoNotStarveEachOther() throws IOException {
        String runId = start("talking", "echo one; exec sleep 600", "");
        String first = browser.driver.getWindowHandle();
        try {
            for (int tab = 0; tab < MANY_TABS; tab++) {
                browser.driver.switchTo().newWindow(WindowType.TAB);
                open("#/runs/" + runId);
                sees("#log .text", "one");
                sees("#connection", "live");
            }
        } finally {
            for (String handle : browser.driver.getWindowHandles()) {
                if (!handle.equals(first)) {
                    browser.driver.switchTo().window(handle).close();
                }
            }
            browser.driver.switchTo().window(first);
            // An agent outlives its server.
            assertThat(api.post("/runs/" + runId + "/stop", "{}").status()).isEqualTo(202);
            becomes(runId, "stopped");
        }
    }

    /** As behind a proxy that does not know WebSockets. */
    @Test
    void whereNoWebSocketCanBeHadTheFeedComesAsAStream() throws IOException {
        String runId = startAsking();
        String closed =
                "window.Worker = class { postMessage(asked) { if (asked.url) setTimeout(() => this.onmessage({data: {closed: true}}), 0); }"
                        + " terminate() {} };";
        with(closed, () -> {
            open("#/runs/" + runId);
            sees("#connection", "live");
            sees("#decide", "Which database?");
            assertThat(api.post("/runs/" + runId + "/resume", "{\"action\": \"continue\", \"feedback\": \"any\"}")
                            .status())
                    .isEqualTo(202);
            sees(".run-head h1", "completed");
        });
    }

    @Test
    void whereThePageMayHaveNoThreadTheFeedComesAsAStream() throws IOException {
        with(NO_THREADS, () -> {
            open("");
            sees("#connection", "live");
            completes("first");
            sees("#list-ended", "first");
        });
    }

    /** As after an upgrade, where the part that the open page would load now is no longer there. */
    @Test
    void wherePartsOfThePageAreGoneTheFeedComesAsAStream() throws IOException {
        browser.driver.executeCdpCommand("Network.enable", Map.of());
        browser.driver.executeCdpCommand("Network.setBlockedURLs", Map.of("urls", List.of("*/socket.js")));
        try {
            open("");
            sees("#connection", "live");
            completes("first");
            sees("#list-ended", "first");
        } finally {
            browser.driver.executeCdpCommand("Network.setBlockedURLs", Map.of("urls", List.of()));
        }
    }
}
