package dev.loopkeeper.gateway;

import dev.loopkeeper.embed.Keeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard of a server that wants a token. */
class PageTokenTest extends WithBrowser {
    private static final String READER = "reader-0123456789abcdef";
    private static final String OPERATOR = "operator-0123456789abcdef";

    /** What the feed brings is kept back while {@code late} is a list; {@code bring} hands it on. */
    private static final String LATE = """
            window.late = null;
            window.Worker = class extends Worker {
              constructor(...given) {
                super(...given);
                window.thread = this;
              }
              set onmessage(listener) {
                this.listener = listener;
                super.onmessage = event => {
                  if (window.late && event.data.texts) window.late.push(event);
                  else this.listener?.(event);
                };
              }
            };
            window.bring = () => {
              const kept = window.late;
              window.late = null;
              kept.forEach(event => window.thread.listener?.(event));
            };
            """;

    private Keeper keeper;

    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        Path tokens = Files.writeString(folder.resolve("tokens"), READER + " read\n" + OPERATOR + " control\n");
        keeper = WithServer.serve(folder, 0, options -> options.on("127.0.0.1", Optional.of(tokens)));
    }

    @AfterEach
    void end() {
        browser.leave();
        keeper.close();
    }

    @Test
    void aTokenIsRequestedOnceAndForgottenAtTheSignOut() throws IOException {
        String runId = WithServer.startAsking(keeper);
        browser.go(keeper.url() + "/#/runs/" + runId);
        browser.focused("#token");
        browser.fill("#token", "wrong-0123456789abcdef");
        browser.click("#sign-in button");
        browser.sees("#sign-in .problem", "does not accept");
        browser.seesNo("header, nav, table");
        browser.fill("#token", OPERATOR);
        browser.click("#sign-in button");
        browser.sees("#decide", "Which database?");
        browser.driver.navigate().refresh();
        browser.sees("#decide", "Which database?");
        browser.click("#sign-out");
        browser.fill("#token", READER);
        browser.click("#sign-in button");
        browser.sees(".why", "Your token has the scope read");
        browser.sees(".why", "Which database?");
        browser.sees(".why", "May the API change?");
        browser.seesNo("#stop");
    }

    @Test
    void nothingOfTheRunsIsLeftAfterASignOutAlsoOfWhatComesLater() throws IOException {
        keeper.script("agent.sh", "echo '{\"determination\": \"ANOMALY\"}' > agent.json");
        runs("first", "paused");
        WithServer.with(LATE, () -> {
            browser.go(keeper.url() + "/");
            signIn(OPERATOR);
            browser.sees("#list-needs", "first");
            browser.until("not counted", now -> now.getTitle().startsWith("(1)"));
            browser.driver.executeScript("window.late = [];");
            runs("second", "paused");
            browser.until("nothing came", now -> now.executeScript("return window.late.length > 0"));
            browser.driver.executeScript("document.getElementById('sign-out').click(); window.bring();");
            browser.focused("#token");
            browser.until("runs are counted", now -> now.getTitle().equals("Loopkeeper"));
            signIn(OPERATOR);
            browser.sees("#list-needs", "first");
            browser.sees("#list-needs", "second");
            browser.until("not counted again", now -> now.getTitle().startsWith("(2)"));
        });
    }

    private void signIn(String token) {
        browser.fill("#token", token);
        browser.click("#sign-in button");
    }

    private void runs(String name, String status) {
        keeper.until(
                keeper.start("{name: " + name + ", agents: {dev: {command: ./agent.sh, signal: agent.json}},"
                        + " phases: [{name: build, loop: {maxIterations: 1, noProgress: 0, steps: [dev]}}]}"),
                status);
    }
}
