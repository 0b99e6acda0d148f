package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.loopkeeper.process.SandboxMachine;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Runs and processes are ended on the page, and their receipts shown. */
class PageStopTest extends WithServer {
    @Test
    void aStopIsConfirmedAndItsReceiptShown() throws IOException {
        String runId = start("endless", "exec sleep 600", "");
        await().until(() -> api.get("/processes").body().path("processes").size() == 1);
        open("#/runs/" + runId);
        browser.click("#stop");
        sees("dialog li", "dev");
        browser.click("#cancel");
        browser.seesNo("dialog");
        assertThat(keeper.get(runId).path("status").asText()).isEqualTo("running");
        browser.click("#stop");
        sees("dialog li", "endless.sh");
        browser.click("#confirm-stop");
        sees("#stopped .receipt caption", "All gone");
        sees("#stopped .receipt tbody td", "TERM");
        browser.click("#close");
        browser.seesNo("dialog");
        sees(".run-head h1", "stopped");
        sees(".phases .halted", "build");
        becomes(runId, "stopped");
    }

    @Test
    void theReceiptAndTheStepNameTheLevelOfTheSandbox() throws IOException {
        int abi = SandboxMachine.near(folder).rungs().abi();
        assumeTrue(abi >= 4, "Landlock ABI 4 is required");
        String runId = keeper.start("{name: confined, agents: {dev: {command: [sleep, '600'], sandbox: {write: [out],"
                + " network: off}}}, phases: [{name: build, task: dev}]}");
        await().until(() -> api.get("/processes").body().path("processes").size() == 1);
        open("#/runs/" + runId);
        browser.click("#stop");
        browser.click("#confirm-stop");
        sees("#stopped .receipt caption", "sandbox landlock abi " + abi);
        browser.click("#close");
        sees(".log-pane .hint", "sandbox landlock abi " + abi);
    }

    @Test
    void aProcessIsEndedFromTheListOfAll() throws IOException {
        String runId = start("endless", "exec sleep 600", "");
        await().until(() -> api.get("/processes").body().path("processes").size() == 1);
        open("#/processes");
        sees("#processes tbody tr", "endless");
        try {
            browser.looksLike("light", 360, true);
            assertThat(browser.driver.executeScript("return document.documentElement.scrollWidth"))
                    .isEqualTo(360L);
            assertThat(
                            (Boolean)
                                    browser.driver.executeScript(
                                            "return document.querySelector('#processes button.danger').getBoundingClientRect().right <= 360"))
                    .as("the button to end it is not beyond the edge")
                    .isTrue();
        } finally {
            browser.looksAsAlways();
        }
        browser.click("#find-orphans");
        sees("#no-orphans", "There are no orphaned processes.");
        browser.click("#processes button.danger");
        sees("dialog", runId);
        browser.click("#confirm");
        sees("#receipts caption", "All gone");
        sees("main", "No process of a run is running.");
        becomes(runId, "paused");
    }
}
