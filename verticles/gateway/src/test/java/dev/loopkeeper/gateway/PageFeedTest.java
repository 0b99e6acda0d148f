package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import io.vertx.ext.web.client.WebClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard's feed where its connection does not go as one thinks: a real browser, a real server. */
class PageFeedTest extends WithBrowser {
    /** What the feed brings is kept back while {@code late} is a list; {@code bring} hands it on. */
    private static final String LATE = """
            window.late = null;
            window.Worker = class extends Worker {
              constructor(...given) {
                super(...given);
                window.thread = this;
              }
              set onmessage(heard) {
                this.heard = heard;
                super.onmessage = event => {
                  if (window.late && event.data.texts) window.late.push(event);
                  else this.heard?.(event);
                };
              }
            };
            window.bring = () => {
              const kept = window.late;
              window.late = null;
              kept.forEach(event => window.thread.heard?.(event));
            };
            """;

    private static final long SHORT_ANSWER_MILLIS = 499;

    /** The page waits for a silent server for as long as it always does, but in a small part of the time. */
    private static final String SHORT = """
            window.Worker = class extends Worker {
              postMessage(told) {
                super.postMessage(told.url ? {...told, quiet: told.quiet / 100, answer: told.answer / 20} : told);
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
              postMessage(told) {
                if (told === 'taken' && window.blocked) return;
                super.postMessage(told.url ? {...told, most: 5000} : told);
              }
            };
            """;

    private static final String NO_THREADS =
            "window.Worker = class { constructor() { throw new DOMException('no threads', 'SecurityError'); } };";

    /** The page fails once to read what tells of this run. */
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

    @TempDir
    Path folder;

    private Keeper keeper;

    @AfterEach
    void end() {
        browser.driver.get("about:blank");
        if (keeper != null) {
            keeper.close();
        }
    }

    private void serve(UnaryOperator<GatewayOptions> change) throws IOException {
        Path data = folder.resolve("data");
        keeper = new Keeper(
                data,
                folder.resolve("work"),
                LoopkeeperOptions.of(data).with(new Gateway(change.apply(GatewayOptions.loopback(0, data)))));
        keeper.script("agent.sh", "echo '{\"determination\": \"SUCCESS\"}' > agent.json");
    }

    private void runs(String name, String status) {
        keeper.until(
                keeper.start("{name: " + name + ", agents: {dev: {command: ./agent.sh, signal: agent.json}},"
                        + " phases: [{name: build, loop: {maxIterations: 1, noProgress: 0, steps: [dev]}}]}"),
                status);
    }

    /** What a page runs before its own scripts, for as long as {@code work} takes. */
    private static void with(String script, Runnable work) {
        Map<String, Object> added =
                browser.driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
        try {
            work.run();
        } finally {
            browser.driver.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", added);
        }
    }

    private String metrics() {
        return Keeper.await(WebClient.create(keeper.vertx())
                        .getAbs(keeper.url() + "/metrics")
                        .send())
                .bodyAsString();
    }

    private int port() {
        return Integer.parseInt(keeper.url().replaceAll(".*:", ""));
    }

    private void open() {
        browser.go(keeper.url() + "/");
    }

    private void signIn(String token) {
        browser.fill("#token", token);
        browser.click("#sign-in button");
    }

    @Test
    void nothingOfTheRunsIsLeftAfterASignOutAlsoOfWhatComesLater() throws IOException {
        String token = "operator-0123456789abcdef";
        Path tokens = Files.writeString(folder.resolve("tokens"), token + " control\n");
        serve(options -> options.on("127.0.0.1", Optional.of(tokens)));
        keeper.script("agent.sh", "echo '{\"determination\": \"ANOMALY\"}' > agent.json");
        runs("first", "paused");
        with(LATE, () -> {
            open();
            signIn(token);
            browser.sees("#list-needs", "first");
            browser.until("not counted", now -> now.getTitle().startsWith("(1)"));
            browser.driver.executeScript("window.late = [];");
            runs("second", "paused");
            browser.until("nothing came", now -> now.executeScript("return window.late.length > 0"));
            browser.driver.executeScript("document.getElementById('sign-out').click(); window.bring();");
            browser.focused("#token");
            browser.until("runs are counted", now -> now.getTitle().equals("Loopkeeper"));
            signIn(token);
            browser.sees("#list-needs", "first");
            browser.sees("#list-needs", "second");
            browser.until("not counted again", now -> now.getTitle().startsWith("(2)"));
        });
    }

    /** E.g. a server that is stopped by SIGSTOP: its machine still takes connections. */
    @Test
    void aServerThatHangsIsNotCalledLiveAndIsFoundAgain() throws IOException {
        serve(options -> options);
        runs("first", "completed");
        try (Line line = new Line(port())) {
            with(SHORT, () -> {
                browser.go(line.url() + "/");
                browser.sees("#connection", "live");
                line.silence();
                browser.sees("#connection", "lost");
                Object since = browser.driver.executeScript(
                        "return Date.now() - Date.parse(document.querySelector('#connection time').dateTime)");
                assertThat((Long) since)
                        .as("ms: what is shown is of before the page began to wait")
                        .isGreaterThanOrEqualTo(SHORT_ANSWER_MILLIS);
                browser.sees("#connection", "the server does not answer");
                runs("second", "completed");
                line.speak();
                browser.sees("#list-ended", "second");
                browser.sees("#connection", "live");
            });
        }
    }

    /** E.g. of a laptop that slept: what was open is no more, but nobody says so; what is opened anew passes. */
    @Test
    void aLineThatIsHalfOpenIsTakenUpAnew() throws IOException {
        serve(options -> options);
        try (Line line = new Line(port())) {
            with(SHORT, () -> {
                browser.go(line.url() + "/");
                browser.sees("#connection", "live");
                line.half();
                runs("first", "completed");
                browser.sees("#list-ended", "first");
                browser.sees("#connection", "live");
            });
        }
    }

    /** The line stands for the new server: all that it has it has at addresses with another hash. */
    @Test
    void afterAnUpgradeOfTheServerThePageOffersToLoadTheNewOne() throws IOException {
        serve(options -> options);
        runs("first", "completed");
        try (Line line = new Line(port())) {
            browser.go(line.url() + "/");
            browser.sees("#list-ended", "first");
            line.cut();
            browser.sees(".notice", "The connection was lost");
            browser.seesNo("#updated");
            String now = "const [, hash] = /assets.([0-9a-f]+).app.js/.exec(document.head.innerHTML); return hash;";
            String hash = String.valueOf(browser.driver.executeScript(now));
            String other = hash.replace(hash.charAt(0), hash.charAt(0) == 'a' ? 'b' : 'a');
            // What is packed could not be changed on its way.
            line.change(asked -> asked.replace(other, hash).replace("gzip", "none"), told -> told.replace(hash, other));
            line.cut();
            browser.sees("#updated", "Loopkeeper was updated");
            browser.click("#updated button");
            browser.seesNo("#updated");
            browser.sees("#list-ended", "first");
            assertThat(browser.driver.executeScript(now)).isEqualTo(other);
        }
    }

    @Test
    void aCostThatIsNotAllOfItSaysSo() throws IOException {
        serve(options -> options);
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
        open();
        browser.sees("#list-ended .cost", "$0.50+");
        browser.sees("#list-ended .cost", "– of $9.00");
        browser.seesNo("#list-ended meter");
    }

    @Test
    void aPageThatIsHeldUpKeepsLittleAndCatchesUp() throws IOException {
        serve(options -> options);
        with(BLOCKED, () -> {
            open();
            browser.sees("#connection", "live");
            browser.driver.executeScript("window.blocked = true;");
            runs("first", "completed");
            runs("second", "completed");
            // A thread that comes late has nothing that is taken but much that waits, and then the page begins anew.
            await().pollInterval(Duration.ZERO).until(() -> {
                runs("more", "completed");
                return metrics().contains("loopkeeper_feed_clients 0");
            });
            browser.driver.executeScript("window.blocked = false; window.thread.postMessage('taken');");
            browser.sees("#list-ended", "first");
            browser.sees("#list-ended", "second");
            browser.sees("#connection", "live");
        });
    }

    @Test
    void aMessageThatCannotBeReadDoesNotEndTheFeed() throws IOException {
        serve(options -> options);
        runs("first", "completed");
        with(FAILS_ONCE, () -> {
            open();
            browser.sees("#list-ended", "first");
            runs("second", "completed");
            browser.sees("#list-ended", "second");
            assertThat(browser.driver.executeScript("return window.failed")).isEqualTo(true);
            runs("third", "completed");
            browser.sees("#list-ended", "third");
            browser.sees("#connection", "live");
        });
    }

    @Test
    void whereThePageMayHaveNoThreadTheFeedComesAsAStream() throws IOException {
        serve(options -> options);
        with(NO_THREADS, () -> {
            open();
            browser.sees("#connection", "live");
            runs("first", "completed");
            browser.sees("#list-ended", "first");
        });
    }

    /** As after an upgrade, where the part that the open page would load now is no longer there. */
    @Test
    void wherePartsOfThePageAreGoneTheFeedComesAsAStream() throws IOException {
        serve(options -> options);
        browser.driver.executeCdpCommand("Network.enable", Map.of());
        browser.driver.executeCdpCommand("Network.setBlockedURLs", Map.of("urls", List.of("*/socket.js")));
        try {
            open();
            browser.sees("#connection", "live");
            runs("first", "completed");
            browser.sees("#list-ended", "first");
        } finally {
            browser.driver.executeCdpCommand("Network.setBlockedURLs", Map.of("urls", List.of()));
        }
    }
}
