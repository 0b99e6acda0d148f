package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Keeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of runs, and the form for a new one. */
class PageListTest extends WithServer {
    @Test
    void aRowShowsVerdictsFromBeforeThePageWasOpened() throws IOException {
        String runId = start(
                "verdicts",
                "case $LOOPKEEPER_ITERATION in 1) said=PROGRESS;; 2) said=STALLED;; *) said=ANOMALY;; esac\n"
                        + "echo '{\"determination\": \"'$said'\"}' > verdicts.json",
                "");
        becomes(runId, "paused");
        open("");
        sees("#list-needs .tiny", "PTA");
        browser.until(
                "the icon tells nothing",
                now -> now.executeScript(
                        "return document.querySelector('link[rel=icon]').href.startsWith('data:image/png')"));
        assertThat(browser.ofModule(
                        "store.js",
                        "const store = it.newStore(); const row = (iteration, verdict) => ({iteration, verdict});"
                                + "store.runs.set('r', {runId: 'r', verdicts: [row(2, 'STALLED')]});"
                                + "it.remember(store, 'r', [row(1, 'PROGRESS'), row(2, 'PROGRESS'), row(3, null), {...row(4, 'PROGRESS'), paused: 'user_input_needed'}]);"
                                + "it.remember(store, 'unknown', [row(1, 'PROGRESS')]);"
                                + "return store.runs.get('r').verdicts.map(each => each.verdict).join();"))
                .isEqualTo("\"PROGRESS,STALLED,asked\"");
    }

    /** The page gets only the newest 50 that ended. */
    @Test
    void aSearchFindsARunThatThePageDoesNotKnow() throws IOException {
        String runId = keeper.start("{name: hidden, agents: {a: {command: 'true'}}, phases: [{name: a, task: a}]}");
        keeper.untilEnded(runId);
        open("");
        sees("#list-ended", "hidden");
        browser.driver.executeScript("window.asked = []; const before = window.fetch;"
                + "window.fetch = (url, ...more) => { window.asked.push(String(url)); return before(url, ...more); };");
        browser.fill("#search", "Hidd");
        sees("#list-ended", "hidden");
        browser.until(
                "the server was not asked",
                now -> now.executeScript("return window.asked.includes('/api/v1/runs?limit=100&q=Hidd')"));
    }

    @Test
    void aLinkLeadsToItsPlaceAlsoAfterAReload() throws IOException {
        String runId = startAsking();
        open("#/runs/" + runId + "/events");
        sees(".events", "paused, input needed");
        browser.driver.navigate().refresh();
        sees(".events", "paused, input needed");
        browser.driver.navigate().to(keeper.url() + "/#/runs/" + runId + "/manifest");
        sees(".manifest", "./asking.sh");
        browser.driver.navigate().to(keeper.url() + "/#/?status=failed&q=ask");
        sees("main", "No run matches the search and filter.");
        browser.driver.navigate().to(keeper.url() + "/#/?status=needs&q=database");
        sees("#list-needs tr.run", "asking");
        browser.driver.navigate().to(keeper.url() + "/#/runs/no-such-run-1");
        sees("main", "no-such-run-1");
    }

    @Test
    void theEmptyPageRunsAnExampleAtOneClick() throws IOException {
        open("");
        sees(".empty code", "loopkeeper init demo && loopkeeper submit demo/loopkeeper.yaml");
        browser.click("#example");
        sees(".run-head h1", "completed");
        sees("#log .text", "hello, 3 of 3");
    }

    @Test
    void theExampleRunsInAFolderThatTheServerAllows(@TempDir Path own) throws IOException {
        Path allowed = Files.createDirectory(own.resolve("allowed"));
        try (Keeper server =
                serve(own, 0, options -> options.admitting(options.admission().within(List.of(allowed))))) {
            browser.go(server.url());
            browser.click("#new");
            browser.fill("#manifest", "name: out\nagents: {a: {command: 'true'}}\nphases: [{name: a, task: a}]");
            browser.fill("#workspace", own.toString());
            browser.click("#start");
            sees("#refused", "is not allowed; name a folder in " + allowed.toRealPath());
            browser.focused("#refused");
            browser.go(server.url() + "/#/");
            browser.click("#example");
            sees(".run-head h1", "completed");
            browser.leave();
        }
    }

    @Test
    void aNewRunIsCheckedWhileItIsWrittenAndStarts() throws IOException {
        open("");
        browser.click("#new");
        browser.fill("#manifest", "name: fresh\nagents: {a: {command: 'true'}}\nphases: [{name: a, taks: a}]");
        browser.fill("#workspace", keeper.workspace().toString());
        sees("#check .findings", "did you mean task?");
        browser.fill("#manifest", "name: fresh\nagents: {a: {command: 'true'}}\nphases: [{name: a, task: a}]");
        sees("#check", "The manifest is valid");
        browser.click("#start");
        sees(".run-head h1", "fresh");
        sees(".run-head h1", "completed");
    }
}
