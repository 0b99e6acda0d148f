package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** What needs a person, why, and what to do about it: the questions that the dashboard answers first. */
class PageAttentionTest extends WithBrowser {
    @TempDir
    Path folder;

    private Keeper keeper;
    private WebApi api;

    @BeforeEach
    void serve() throws IOException {
        Path data = folder.resolve("data");
        GatewayOptions options = GatewayOptions.loopback(0, data);
        keeper = new Keeper(
                data, folder.resolve("work"), LoopkeeperOptions.of(data).with(new Gateway(options)));
        api = WebApi.of(keeper);
    }

    @AfterEach
    void end() {
        browser.driver.executeScript("localStorage.clear()");
        browser.driver.get("about:blank");
        keeper.close();
    }

    private String task(String name, String command) throws IOException {
        String runId = keeper.start("{name: " + name + ", agents: {a: {command: [sh, -c, \"" + command
                + "\"]}}, phases: [{name: a, task: a}]}");
        return runId;
    }

    private void open(String hash) {
        browser.go(keeper.url() + "/" + hash);
    }

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
        browser.sees("#list-needs .title", "Needs attention (2)");
        browser.until("no count in the title", now -> now.getTitle().equals("(2) Loopkeeper"));
        assertThat(names("#list-needs")).containsExactly("release-check", "release-check");
        browser.sees("#list-needs td.do", "Resume");
        browser.sees("#list-ended tr.run", "stopped-by-me");
        browser.sees("#list-ended", "lint");
        assertThat(browser.driver.findElements(By.cssSelector("table.runs thead")))
                .hasSize(1);

        browser.click(".filters a[href*='status=failed']");
        browser.sees(".filters a[aria-current=true]", "Failed 2");
        browser.seesNo("#list-ended");
        browser.driver.executeScript("location.hash = '#/?status=stopped'");
        browser.sees("#list-ended tr.run", "stopped-by-me");
        browser.seesNo("#list-needs");

        open("");
        browser.click("#list-needs tr.run .seen");
        browser.sees("#list-needs .title", "Needs attention (1)");
        browser.click("#list-needs a.row");
        browser.click("#seen");
        browser.seesNo("#seen");
        browser.until("the title counts what was seen", now -> now.getTitle().equals("Loopkeeper"));
        open("");
        browser.sees("#list-ended tr.run.failed", "release-check");
        browser.seesNo("#list-needs");
    }
}
