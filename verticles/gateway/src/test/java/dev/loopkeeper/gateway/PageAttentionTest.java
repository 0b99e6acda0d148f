package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.SmallRepository;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
        Path work = SmallRepository.in(folder.resolve("work")).folder();
        keeper = new Keeper(data, work, LoopkeeperOptions.of(data).with(new Gateway(options)));
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
        browser.sees(".why .facts a", "a.a.1");
        browser.click("#seen");
        browser.seesNo("#seen");
        browser.until("the title counts what was seen", now -> now.getTitle().equals("Loopkeeper"));
        open("");
        browser.sees("#list-ended tr.run.failed", "release-check");
        browser.seesNo("#list-needs");
    }

    /** The page folds events before it reads the run again; a notification must not depend on which of both came first. */
    @Test
    void theEventsOfARunNeedAttentionAsTheServerSays() throws IOException {
        String paused = keeper.start(
                "{name: asks, agents: {a: {command: [sh, -c, 'exit 0'], signal: s.json}}, phases: [{name: a, task: a}]}");
        keeper.until(paused, "paused");
        String stopped = keeper.start(
                "{name: asks, agents: {a: {command: [sh, -c, 'exit 0'], signal: t.json}}, phases: [{name: a, task: a}]}");
        keeper.until(stopped, "paused");
        assertThat(api.post("/runs/" + stopped + "/stop?wait=30s", "{}").status())
                .isEqualTo(200);
        String failed = task("fails", "exit 1");
        keeper.untilEnded(failed);
        String limited = keeper.start("{name: limit, agents: {a: {command: [sh, -c, 'exit 0']}}, phases: [{name: a,"
                + " loop: {steps: [a], maxIterations: 1, noProgress: 0, until: {command: 'false'}}}]}");
        keeper.untilEnded(limited);
        String completed = task("works", "exit 0");
        keeper.untilEnded(completed);
        open("");
        for (String runId : List.of(paused, stopped, failed, limited, completed)) {
            boolean server =
                    api.get("/runs/" + runId).body().path("needsAttention").booleanValue();
            assertThat(browser.ofModule(
                            "fold.js",
                            "const {events} = await (await fetch('/api/v1/runs/" + runId
                                    + "/events?limit=1000')).json();"
                                    + "let run; for (const event of events) run = it.fold(run, event);"
                                    + "return run.needsAttention;"))
                    .as(runId)
                    .isEqualTo(Boolean.toString(server));
            assertThat(server).as(runId).isEqualTo(!List.of(stopped, completed).contains(runId));
        }
    }

    /** It said until when it waits, and a person who knew better could only stop it. */
    @Test
    void aWaitingRunContinuesAtOneClickFromTheListAndFromItsPage() throws IOException {
        keeper.script(
                "dev.sh",
                "[ $(ls launch-* 2>/dev/null | wc -l) -ge 2 ] && exit 0; mktemp launch-XXXXXX\n"
                        + "echo 'Rate limit reached. Please try again in 3600s.' >&2; exit 1");
        String runId =
                keeper.start("{name: limited, agents: {dev: {command: ./dev.sh}}, phases: [{name: p, task: dev}]}");
        keeper.until(runId, "waiting");
        open("");
        browser.sees("#list-going tr.waiting .why", "tried again at");
        assertThat(browser.driver.getTitle()).isEqualTo("Loopkeeper");
        browser.click("#list-going td.do button");
        awaitLaunches(runId, 2);
        browser.click("#list-going a.row");
        browser.sees(".why.waiting h2", "Waiting:");
        browser.click("#continue-now");
        browser.sees(".run-head h1", "completed");
    }

    private void awaitLaunches(String runId, int launches) {
        await().until(() -> {
            JsonNode run = api.get("/runs/" + runId).body();
            return run.path("status").asText().equals("waiting")
                    && run.at("/statistics/totalAttempts").asInt() == launches;
        });
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
        browser.sees(".steps tr:first-child .outcome .slow", "stalled");
        browser.sees(".steps tr:first-child .outcome", "the header row is lost");
        browser.sees(".lanes .axis li:last-child", "+");
        browser.until(
                "the judge's bar is green",
                now -> now.executeScript("return document.querySelectorAll('.lanes .span.slow').length === 2"));
        browser.sees("#log summary", "failed: test_1 PASSED (+1 lines) 1 failed, 1 passed");
        browser.sees("#log .line.result .offset", "+");
        browser.fill("#find", "test_2 failed");
        browser.sees("#log details[open] pre", "test_2 FAILED");
        assertThat(browser.driver.executeScript(
                        "return [...document.querySelectorAll('.steps thead th')].map(it => it.textContent).join()"))
                .isEqualTo("Step,Verdict,Time,Cost");
    }

    /** Of 205 steps five could not be reached. */
    @Test
    void stepsBeyondTheFirstPageAreReached() throws IOException {
        keeper.script("each.sh", "exit 0");
        StringBuilder items = new StringBuilder();
        for (int item = 1; item <= 205; item++) {
            items.append(item == 1 ? "" : ", ").append("{id: i").append(item).append('}');
        }
        String runId = keeper.start("{name: many, agents: {a: {command: ./each.sh}}, phases: [{name: p, each: {items: ["
                + items + "], steps: [a], concurrency: 8}}], retry: {stopConditions: {circuitBreaker: 1000}}}");
        keeper.untilEnded(runId);
        open("#/runs/" + runId);
        browser.sees(".steps caption", "Steps (200 newest)");
        browser.click("#more-steps");
        browser.click("#earlier-steps");
        browser.sees(".steps caption", "Steps (205)");
        browser.until(
                "the first step is not shown",
                now -> now.executeScript("return document.querySelectorAll('.steps tbody tr').length === 205"));
        browser.sees(".lanes .legend", "the newest 30 of 205 items");
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
        browser.sees(".items tbody tr:nth-child(3)", "waits for share, which waits for export: the header row is lost");
        browser.sees(".why .message", "export: the header row is lost (1 attempt); blocks share, send");
        browser.sees(".lane-name", "export");
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
        browser.sees("#list-needs .why", "export: the header row is lost (1 attempt); blocks share, send");
        assertThat(api.get("/runs/" + runId + "/explain").body().path("summary").asText())
                .contains("export: the header row is lost (1 attempt); blocks share, send");
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
        browser.sees("#list-ended .why", "all tests pass; 2 files changed on its branch");
        open("#/runs/" + runId);
        browser.sees(".why.completed .message", "success all tests pass");
        browser.sees(".why.completed h2", "1 iteration");
        browser.sees(".why.completed", "loopkeeper merge " + runId);
        browser.click("#merge");
        browser.sees("#merge-plan", "Will be merged into main: 2 files, +2 −0.");
        assertThat(keeper.workspace().resolve("a.txt")).doesNotExist();
        browser.click("#confirm-merge");
        browser.sees("#merge-plan", "Merged into main: 2 files");
        assertThat(keeper.workspace().resolve("a.txt")).exists();
        browser.click("#cancel");
        browser.seesNo("dialog");
        browser.click(".why.completed a.button");
        browser.sees(".file-list li:last-child", "b.txt +1 −0");
        browser.sees(".diff-line.plus .at:nth-child(2)", "1");
        browser.click(".file-list a");
        browser.focused("#file-0 summary");
    }

    private static final String IN_VIEW = "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
            + " return box.top >= 0 && box.bottom <= window.innerHeight;";

    /** The sticky button was Stop, and the reason was below the fold. */
    @Test
    void onAPhoneTheReasonAndTheAnswerAreInViewAndStopIsNotSticky() throws IOException {
        keeper.script(
                "ask.sh",
                "echo '{\"status\": \"partial\", \"userInputNeeded\": true, \"questions\": [\"Which database?\"]}' > ask.json");
        String runId = keeper.start("{name: asking, agents: {dev: {command: ./ask.sh, signal: ask.json}}, phases:"
                + " [{name: build, loop: {steps: [dev]}}]}");
        keeper.until(runId, "paused");
        try {
            browser.looksLike("light", 390, true);
            open("#/runs/" + runId);
            browser.sees("#decide", "Which database?");
            for (String seen : List.of(".why h2", "#answer-0", "#send")) {
                assertThat(browser.driver.executeScript(IN_VIEW, seen)).as(seen).isEqualTo(true);
            }
            assertThat(browser.driver.executeScript(
                            "return getComputedStyle(document.querySelector('#actions')).position"))
                    .isEqualTo("static");
            for (String hash : List.of("", "#/runs/" + runId)) {
                browser.looksLike("light", 800, false);
                open(hash);
                browser.sees("main", "asking");
                assertThat(browser.driver.executeScript(
                                "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                        .as(hash)
                        .isEqualTo(true);
            }
            open("");
            browser.sees("#list-needs td.why", "Which database?");
            assertThat((Long) browser.driver.executeScript("return document.querySelector('td.why').offsetWidth"))
                    .as("the reason is readable on a narrow screen")
                    .isGreaterThan(220);
        } finally {
            browser.looksAsAlways();
        }
    }
}
