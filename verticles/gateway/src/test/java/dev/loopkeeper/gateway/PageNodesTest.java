package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.RunChannels.GetStep;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.termination.RefusalCode;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard of a node while another one is lost: a real browser, and runs as the database reports them. */
class PageNodesTest extends WithBrowser {
    private static final String HEAD = ".run-head .numbers";

    @TempDir
    Path data;

    private GatewayFixture fixture;
    private final ObjectNode run = TestRuns.run("one", "running");

    @BeforeEach
    void serve() {
        fixture = GatewayFixture.plain(data);
        fixture.scheduler.steps.put("one", TestRuns.steps("one", "build.1.dev.1", null));
    }

    @AfterEach
    void end() {
        browser.driver.get("about:blank");
        fixture.close();
    }

    private void happens(long sequence) {
        ObjectNode now = run.deepCopy().put("sequence", sequence);
        fixture.scheduler.runs.put("one", now);
        fixture.happens(TestRuns.event("one", sequence, "notice"), now);
    }

    private void open(String hash) {
        browser.go("http://127.0.0.1:" + fixture.gateway.port() + "/" + hash);
    }

    @Test
    void aRunThatWaitsForANodeSaysSoUntilSomethingHappensToIt() {
        run.put("waitsFor", "n1, silent 3 m");
        happens(1);
        open("");
        browser.sees("#list-going .why", "waits for n1");
        open("#/runs/one");
        browser.sees(HEAD, "Waits for n1");
        run.remove("waitsFor");
        happens(2);
        browser.until(
                "it still waits",
                now -> now.executeScript(
                        "return !document.querySelector(arguments[0]).innerText.includes('Waits')", HEAD));
    }

    /** No event reports that a node is lost; that a log of it cannot be read is a reason to look. */
    @Test
    void anOpenPageLearnsItWhereALogCannotBeRead() {
        fixture.scheduler.stepsAreElsewhere = true;
        fixture.scheduler.refusal = question -> question instanceof GetStep
                ? Optional.of(new Refusal(RefusalCode.NODE_UNREACHABLE, "node n1 is silent"))
                : Optional.empty();
        happens(1);
        open("#/runs/one");
        browser.sees(HEAD, "Workspace");
        run.put("waitsFor", "n1, which left 3 m ago").put("sequence", 1);
        fixture.scheduler.runs.put("one", run);
        browser.sees(HEAD, "Waits for n1");
    }
}
