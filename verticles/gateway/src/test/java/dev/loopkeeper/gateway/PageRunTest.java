package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The page of one run: its steps, items, cost, log, and what came of it. */
class PageRunTest extends WithServer {
    @Test
    void itemsShowWhatBecameOfEachAttemptAndTheCostWhereItLeads() throws IOException {
        String runId = startItems();
        keeper.untilEnded(runId);
        open("#/runs/" + runId + "/items");
        sees(".numbers", "frames, 2 of 2 items approved");
        sees(".why.completed h2", "2 of 2 items, 1 retried");
        sees(".items tbody tr:nth-child(1)", "first");
        sees(".items tbody tr:nth-child(2)", "second");
        browser.until(
                "the attempts are not told",
                now -> now.executeScript(
                        "return [...document.querySelectorAll('.items tbody tr:first-child .attempt')]"
                                + ".map(it => it.title.replace(/,.*/, '')).join() === 'attempt 1: rejected,attempt 2: approved'"));
        browser.click(".items tbody tr:first-child li:first-child a");
        sees(".log-pane h2", "frames.first.i.1");
        open("#/runs/" + runId + "/cost");
        sees("#cost", "the cap is reached in 15 steps");
        browser.until("no curve", now -> now.executeScript("return Boolean(document.querySelector('#cost .curve'))"));
        sees(".agents", "$1.50");
    }

    @Test
    void aStepShowsWhatItsAgentWasSent() throws IOException {
        Files.writeString(keeper.workspace().resolve("task.md"), "Do {{iteration}} of <b>these</b>.\nThen stop.\n");
        String runId = keeper.start(
                "{name: sent, budget: {costUsd: 9, warnAt: 0.5}, agents: {dev: {command: cat, prompt: task.md},"
                        + " none: {command: echo nothing}}, phases: [{name: build, task: dev}, {name: last, task: none}]}");
        keeper.untilEnded(runId);
        open("#/runs/" + runId + "/steps/build.dev.1");
        sees("#log .text", "of <b>these</b>.");
        browser.click(".log-bar button:nth-child(4)");
        sees(".log-bar button[aria-pressed=true]", "Prompt");
        sees("#log .line:nth-child(2) .text", "Then stop.");
        open("#/runs/" + runId + "/steps/last.none.1");
        browser.click(".log-bar button:nth-child(4)");
        sees("#log .text", "received no prompt");
        open("#/runs/" + runId + "/cost");
        sees("#forecast", "It warns at $4.50.");
    }

    @Test
    void reportsARunThatIsRemovedWhileItIsShown() throws IOException {
        String runId = keeper.start("{name: old, agents: {a: {command: 'true'}}, phases: [{name: a, task: a}]}");
        keeper.untilEnded(runId);
        open("#/runs/" + runId);
        sees(".run-head h1", "completed");
        assertThat(api.post("/runs/prune", "{\"keep\": 0, \"dryRun\": false}")
                        .body()
                        .path("runs"))
                .hasSize(1);
        browser.driver.executeScript("location.hash += '/manifest'");
        sees("main h1", "There is no run " + runId);
        open("#/runs/" + runId + "/events");
        sees("main h1", "There is no run " + runId);
    }

    private static final String TOOLS = """
            printf '%s\\n' '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"pytest"}}]}}'
            printf '%s\\n' '{"type":"user","timestamp":"2030-01-01T00:00:00Z","message":{"content":[{"type":"tool_result","is_error":true,\
            "content":"test_1 PASSED\\ntest_2 FAILED\\n1 failed, 1 passed"}]}}'
            printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"done","total_cost_usd":0.5}'
            echo '{"determination": "PROGRESS"}' > dev.json
            """;

    /** A judge that rejected was green, and of a failing test only its first line was visible. */
    @Test
    void aStepShowsItsVerdictAndALogTheLastLineOfAToolsOutput() throws IOException {
        keeper.script("dev.sh", TOOLS);
        keeper.script(
                "judge.sh",
                "echo '{\"verdict\": \"rejected\", \"determination\": \"STALLED\", \"keyConcern\": \"the header row is lost\"}' > judge.json");
        String runId =
                keeper.start("{name: judged, agents: {dev: {command: ./dev.sh, output: claude-code, signal: dev.json},"
                        + " judge: {command: ./judge.sh, signal: judge.json}}, phases: [{name: build, loop: {maxIterations: 2,"
                        + " noProgress: 0, steps: [dev, judge]}}]}");
        keeper.untilEnded(runId);
        open("#/runs/" + runId + "/steps/build.2.dev.1");
        sees(".steps tr:first-child .outcome .slow", "stalled");
        sees(".steps tr:first-child .outcome", "the header row is lost");
        sees(".lanes .axis li:last-child", "+");
        browser.until(
                "the judge's bar is green",
                now -> now.executeScript("return document.querySelectorAll('.lanes .span.slow').length === 2"));
        sees("#log summary", "failed: test_1 PASSED (+1 lines) 1 failed, 1 passed");
        sees("#log .line.result .offset", "+");
        browser.fill("#find", "test_2 failed");
        sees("#log details[open] pre", "test_2 FAILED");
        sees("#found", "1 found in the ");
        assertThat(browser.driver.executeScript(
                        "return [...document.querySelectorAll('.steps thead th')].map(it => it.textContent).join()"))
                .isEqualTo("Step,Verdict,Time,Cost");
    }

    /** A line that stood there for long had the moment at which the page loaded it. */
    @Test
    void aLineOfALogHasTheTimeOfItsArrivalOnlyWhereThePageSawItArrive() throws IOException {
        keeper.script(
                "dev.sh",
                "echo early; while [ ! -e go ]; do sleep 0.05; done; echo late; while [ ! -e end ]; do sleep 0.05; done\n");
        String runId =
                keeper.start("{name: timed, agents: {dev: {command: ./dev.sh}}, phases: [{name: p, task: dev}]}");
        open("#/runs/" + runId);
        sees("#log .line:first-child", "early");
        browser.until(
                "the size of the log was not asked for",
                now -> now.executeScript(
                        "return performance.getEntriesByType('resource').some(each => each.name.endsWith('&tail=0'))"));
        Files.createFile(keeper.workspace().resolve("go"));
        sees("#log .line:nth-child(2)", "late");
        assertThat(shown("#log .line:first-child .offset")).isEqualTo("#");
        assertThat(shown("#log .line:nth-child(2) .offset")).startsWith("+");
        Files.createFile(keeper.workspace().resolve("end"));
        keeper.untilEnded(runId);
    }

    /** Of 205 steps five could not be reached. */
    @Test
    void stepsBeyondTheFirstPageAreReached(@TempDir Path data) {
        try (GatewayFixture fixture = GatewayFixture.plain(data)) {
            ObjectNode steps = Json.MAPPER.createObjectNode();
            for (int item = 0; item < 205; item++) {
                Instant at = TestRuns.NOW.plusSeconds(item);
                ObjectNode step = (ObjectNode) TestRuns.steps("many", "build.i" + item + ".dev.1", at.plusMillis(900))
                        .at("/steps/0");
                steps.withArray("steps")
                        .add(step.put("startedAt", at.toString())
                                .put("item", "i" + item)
                                .putNull("iteration"));
            }
            fixture.scheduler.steps.put("many", steps);
            ObjectNode run = TestRuns.run("many", "running");
            ((ObjectNode) run.at("/phases/0")).put("kind", "each");
            fixture.scheduler.runs.put("many", run);
            fixture.happens(TestRuns.event("many", 1, "notice"), run);
            browser.go("http://127.0.0.1:" + fixture.gateway.port() + "/#/runs/many");
            sees(".steps caption", "Steps (200 newest)");
            sees(".lanes .legend", "shown are the newest 200 steps, the newest 30 of 200 items");
            browser.click("#more-steps");
            browser.click("#earlier-steps");
            sees(".steps caption", "Steps (205)");
            browser.until(
                    "the first step is not shown",
                    now -> now.executeScript("return document.querySelectorAll('.steps tbody tr').length === 205"));
            sees(".lanes .legend", "the newest 30 of 205 items");
            browser.leave();
        }
    }

    /** It said "all phases are complete", and neither what was changed nor how to get it. */
    @Test
    void aCompletedRunShowsWhatCameOfIt() throws IOException {
        String runId = keeper.start("{name: done, isolation: {git: worktree}, agents: {dev: {command: [sh, -c,"
                + " 'echo a > a.txt; echo b >> b.txt']}, judge: {command: [sh, -c, '\"$LOOPKEEPER_SIGNAL\" --determination"
                + " SUCCESS --concern \"all tests pass\"'], signal: .loopkeeper/judge.json}},"
                + " phases: [{name: build, loop: {steps: [dev, judge]}}]}");
        keeper.untilEnded(runId);
        open("");
        sees("#list-ended .why", "all tests pass; 2 files changed on its branch");
        open("#/runs/" + runId);
        sees(".why.completed .message", "success all tests pass");
        sees(".why.completed h2", "1 iteration");
        sees(".why.completed", "loopkeeper merge " + runId + " --data " + folder.resolve("data"));
        browser.driver.executeScript("document.querySelector('#merge').focus()");
        browser.press(Keys.ENTER);
        sees("#merge-plan", "Will be merged into main: 2 files, +2 −0.");
        assertThat(keeper.workspace().resolve("a.txt")).doesNotExist();
        browser.click("#confirm-merge");
        sees("#merge-plan", "Merged into main: 2 files");
        assertThat(keeper.workspace().resolve("a.txt")).exists();
        sees(".why.completed", "Merged into main.");
        browser.seesNo("#merge");
        browser.click("#cancel");
        browser.seesNo("dialog");
        browser.focused("#main");
        browser.click(".why.completed a.button");
        sees(".file-list li:last-child", "b.txt +1 −0");
        sees(".diff-line.plus .at:nth-child(2)", "1");
        browser.click(".file-list a");
        browser.focused("#file-0 summary");
    }
}
