package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.embed.Keeper;
import io.vertx.ext.web.client.WebClient;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The dashboard's feed where its connection does not go as one thinks: a real browser, a real server. */
class PageFeedTest extends WithServer {
    private static final long SHORT_ANSWER_MILLIS = 499;

    /** The page waits for a silent server for as long as it always does, but in a small part of the time. */
    private static final String SHORT = """
            window.Worker = class extends Worker {
              postMessage(message) {
                super.postMessage(message.url ? {...message, quiet: message.quiet / 100, answer: message.answer / 20} : message);
              }
            };
            const whole = AbortSignal.timeout;
            AbortSignal.timeout = time => whole.call(AbortSignal, time / 20);
            """;

    /** The page does not get on while {@code window.blocked}, and little may wait for it. */
    private static final String BLOCKED = """
            window.Worker = class extends Worker {
              constructor(...given) {
                super(...given);
                window.thread = this;
              }
              postMessage(message) {
                if (message === 'taken' && window.blocked) return;
                super.postMessage(message.url ? {...message, most: 5000} : message);
              }
            };
            """;

    /** The page fails once to read what reports this run. */
    private static final String FAILS_ONCE = """
            const parse = JSON.parse;
            JSON.parse = (text, ...more) => {
              if (!window.failed && text.includes('"type":"run.created"') && text.includes('second')) {
                window.failed = true;
                throw new Error('cannot be read');
              }
              return parse(text, ...more);
            };
            """;

    private String metrics() {
        return Keeper.await(WebClient.create(keeper.vertx())
                        .getAbs(keeper.url() + "/metrics")
                        .send())
                .bodyAsString();
    }

    private int port() {
        return Integer.parseInt(keeper.url().replaceAll(".*:", ""));
    }

    /** E.g. a server that is stopped by SIGSTOP: its machine still takes connections. */
    @Test
    void aServerThatHangsIsNotCalledLiveAndIsFoundAgain() throws IOException {
        completes("first");
        try (FreezableConnection line = new FreezableConnection(port())) {
            with(SHORT, () -> {
                browser.go(line.url() + "/");
                sees("#connection", "live");
                line.silence();
                sees("#connection", "lost");
                Object since = browser.driver.executeScript(
                        "return Date.now() - Date.parse(document.querySelector('#connection time').dateTime)");
                assertThat((Long) since)
                        .as("ms: what is shown is of before the page began to wait")
                        .isGreaterThanOrEqualTo(SHORT_ANSWER_MILLIS);
                sees("#connection", "the server does not answer");
                completes("second");
                line.speak();
                sees("#list-ended", "second");
                sees("#connection", "live");
            });
        }
    }

    /** E.g. of a laptop that slept: what was open is no more, without a notice; what is opened again passes. */
    @Test
    void reconnectsAHalfOpenConnection() throws IOException {
        try (FreezableConnection line = new FreezableConnection(port())) {
            with(SHORT, () -> {
                browser.go(line.url() + "/");
                sees("#connection", "live");
                line.half();
                completes("first");
                sees("#list-ended", "first");
                sees("#connection", "live");
            });
        }
    }

    /** The line stands for the new server: all that it has it has at addresses with another hash. */
    @Test
    void afterAnUpgradeOfTheServerThePageOffersToLoadTheNewOne() throws IOException {
        completes("first");
        try (FreezableConnection line = new FreezableConnection(port())) {
            browser.go(line.url() + "/");
            sees("#list-ended", "first");
            line.cut();
            sees(".notice", "The connection was lost");
            browser.seesNo("#updated");
            String now = "const [, hash] = /assets.([0-9a-f]+).app.js/.exec(document.head.innerHTML); return hash;";
            String hash = String.valueOf(browser.driver.executeScript(now));
            String other = hash.replace(hash.charAt(0), hash.charAt(0) == 'a' ? 'b' : 'a');
            // What is packed could not be changed on its way.
            line.change(asked -> asked.replace(other, hash).replace("gzip", "none"), text -> text.replace(hash, other));
            line.cut();
            sees("#updated", "Loopkeeper was updated");
            browser.click("#updated button");
            browser.seesNo("#updated");
            sees("#list-ended", "first");
            assertThat(browser.driver.executeScript(now)).isEqualTo(other);
        }
    }

    @Test
    void aCostThatIsNotAllOfItSaysSo() throws IOException {
        keeper.script("tells.sh", "echo '{\"status\":\"completed\",\"usage\":{\"costUsd\":0.5}}' >tells.json");
        keeper.script("silent.sh", "echo '{\"status\":\"completed\"}' >silent.json");
        String agents = "agents: {tells: {output: claude-code, command: ./tells.sh, signal: tells.json},"
                + " silent: {output: claude-code, command: ./silent.sh, signal: silent.json}}";
        keeper.until(
                keeper.start(
                        "{name: some, " + agents + ", phases: [{name: one, task: tells}, {name: two, task: silent}]}"),
                "completed");
        keeper.until(
                keeper.start("{name: none, budget: {costUsd: 9}, " + agents + ", phases: [{name: two, task: silent}]}"),
                "completed");
        open("");
        sees("#list-ended .cost", "$0.50+");
        sees("#list-ended .cost", "– of $9.00");
        browser.seesNo("#list-ended meter");
    }

    @Test
    void aPageThatIsHeldUpKeepsLittleAndCatchesUp() throws IOException {
        with(BLOCKED, () -> {
            open("");
            sees("#connection", "live");
            browser.driver.executeScript("window.blocked = true;");
            completes("first");
            completes("second");
            // A thread that comes late has nothing that is taken but much that waits, and then the page begins again.
            await().pollInterval(Duration.ZERO).until(() -> {
                completes("more");
                return metrics().contains("loopkeeper_feed_clients 0");
            });
            browser.driver.executeScript("window.blocked = false; window.thread.postMessage('taken');");
            sees("#list-ended", "first");
            sees("#list-ended", "second");
            sees("#connection", "live");
        });
    }

    @Test
    void aMessageThatCannotBeReadDoesNotEndTheFeed() throws IOException {
        completes("first");
        with(FAILS_ONCE, () -> {
            open("");
            sees("#list-ended", "first");
            completes("second");
            sees("#list-ended", "second");
            assertThat(browser.driver.executeScript("return window.failed")).isEqualTo(true);
            completes("third");
            sees("#list-ended", "third");
            sees("#connection", "live");
        });
    }
}
