package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;

/** What needs a person, why, and what to do about it: the questions that the dashboard answers first. */
class PageAttentionTest extends WithServer {
    private List<String> names(String list) {
        return browser.driver.findElements(By.cssSelector(list + " .name")).stream()
                .map(each -> each.getText())
                .toList();
    }

    /** Two failures were a grey line that said "release-check x2, 0 ok, 2 not" below what had ended well. */
    @Test
    void whatHasFailedNeedsAttentionUntilItIsMarkedAsSeen() throws IOException {
        for (int round = 0; round < 2; round++) {
            keeper.untilEnded(task("release-check", "exit 1"));
            keeper.untilEnded(task("lint", "exit 0"));
        }
        keeper.untilEnded(task("lint", "exit 0"));
        String stopped = task("stopped-by-me", "exec sleep 600");
        assertThat(api.post("/runs/" + stopped + "/stop?wait=30s", "{}").status())
                .isEqualTo(200);
        open("");
        sees("#list-needs .title", "Needs attention (2)");
        browser.until("no count in the title", now -> now.getTitle().equals("(2) Loopkeeper"));
        assertThat(names("#list-needs")).containsExactly("release-check", "release-check");
        sees("#list-needs td.do", "Resume");
        sees("#list-ended tr.run", "stopped-by-me");
        sees("#list-ended", "lint");
        assertThat(browser.driver.findElements(By.cssSelector("table.runs thead")))
                .hasSize(1);

        browser.click(".filters a[href*='status=failed']");
        sees(".filters a[aria-current=true]", "Failed 2");
        browser.seesNo("#list-ended");
        browser.driver.executeScript("location.hash = '#/?status=stopped'");
        sees("#list-ended tr.run", "stopped-by-me");
        browser.seesNo("#list-needs");

        open("");
        browser.click("#list-needs tr.run .seen");
        sees("#list-needs .title", "Needs attention (1)");
        browser.click("#list-needs a.row");
        sees(".why .facts a", "a.a.1");
        browser.click("#seen");
        browser.seesNo("#seen");
        browser.until(
                "the title counts what was seen", now -> now.getTitle().equals("release-check failed · Loopkeeper"));
        open("");
        sees("#list-ended tr.run.failed", "release-check");
        browser.seesNo("#list-needs");
    }

    private static final String HIDDEN_AND_NOTED = """
            window.notes = [];
            window.Notification = class {
              static permission = 'granted';
              constructor(title, {body, tag}) { window.notes.push([title, body, tag].join(' | ')); this.tag = tag; window.last = this; }
            };
            Object.defineProperty(document, 'hidden', {get: () => true});
            """;

    /** The same set as "Needs attention": neither a run that ended well nor one that a person stopped. */
    @Test
    void theBrowserNotifiesOfWhatNeedsAttentionAndOfNothingElse() throws IOException {
        Map<String, Object> script = browser.driver.executeCdpCommand(
                "Page.addScriptToEvaluateOnNewDocument", Map.of("source", HIDDEN_AND_NOTED));
        try {
            open("");
            browser.until(
                    "not live",
                    now -> now.executeScript(
                            "return document.querySelector('#connection')?.textContent.includes('live')"));
            String stopped = task("stopped-by-me", "exec sleep 600");
            assertThat(api.post("/runs/" + stopped + "/stop?wait=30s", "{}").status())
                    .isEqualTo(200);
            keeper.untilEnded(task("lint", "exit 0"));
            String failed = task("release-check", "exit 1");
            keeper.untilEnded(failed);
            String asking =
                    keeper.start("{name: asking, agents: {a: {command: [sh, -c, '\"$LOOPKEEPER_SIGNAL\" --question"
                            + " \"Which database?\"'], signal: .loopkeeper/a.json}}, phases: [{name: a, task: a}]}");
            keeper.until(asking, "paused");
            browser.until("no two notifications", now -> now.executeScript("return window.notes.length >= 2"));
            List<?> notes = (List<?>) browser.driver.executeScript("return window.notes");
            assertThat(notes).hasSize(2);
            assertThat(notes.get(0).toString())
                    .startsWith("release-check needs attention | ")
                    .endsWith(" | " + failed);
            assertThat(notes.get(1).toString()).isEqualTo("asking needs attention | “Which database?” | " + asking);
            browser.driver.executeScript("window.last.onclick()");
            browser.until(
                    "the notification leads nowhere", now -> now.getCurrentUrl().endsWith("#/runs/" + asking));
        } finally {
            browser.driver.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", script);
        }
    }

    /** The item that was blocked said what it waits for, not what went wrong there. */
    @Test
    void aBlockedItemShowsTheChainToItsCause() throws IOException {
        keeper.script(
                "each.sh",
                "echo '{\"verdict\": \"rejected\", \"keyConcern\": \"the header row is lost\"}' > each.json");
        String runId =
                keeper.start("{name: reports, agents: {a: {command: ./each.sh, signal: each.json}}, phases: [{name: p,"
                        + " each: {items: [{id: export}, {id: share, dependsOn: [export]}, {id: send, dependsOn: [share]}],"
                        + " steps: [a], maxAttempts: 1}}]}");
        keeper.untilEnded(runId);
        open("#/runs/" + runId + "/items");
        sees(".items tbody tr:nth-child(3)", "waits for share, which waits for export: the header row is lost");
        sees(".why .message", "export: the header row is lost (1 attempt); blocks share, send");
        sees(".lane-name", "export");
        try {
            browser.looksLike("light", 390, true);
            browser.until(
                    "words are broken in narrow columns",
                    now -> now.executeScript(
                            "return document.querySelector('.items tbody tr:nth-child(3) td:nth-of-type(1)').offsetWidth > 300"));
        } finally {
            browser.looksAsAlways();
        }
        open("");
        sees("#list-needs .why", "export: the header row is lost (1 attempt); blocks share, send");
        assertThat(api.get("/runs/" + runId + "/explain").body().path("summary").asText())
                .contains("export: the header row is lost (1 attempt); blocks share, send");
    }
}
