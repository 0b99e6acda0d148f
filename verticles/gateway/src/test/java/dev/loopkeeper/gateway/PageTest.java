package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.FreePorts;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.gateway.feed.FeedListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WindowType;

/** The dashboard as a person uses it: a real browser, a real server, real agents. */
class PageTest extends WithBrowser {
    private static final String MARKUP = "<img src=x onerror=window.hacked=1><script>window.hacked=2</script>";

    private static final int MANY_TABS = 5;

    @TempDir
    Path folder;

    private Keeper keeper;
    private WebApi api;
    /** Also of a server that is started again. */
    private final int port = FreePorts.next();

    @AfterEach
    void end() {
        browser.driver.get("about:blank");
        if (keeper != null) {
            keeper.close();
        }
    }

    private void serve() throws IOException {
        serve(options -> options);
    }

    private void serve(UnaryOperator<GatewayOptions> change) throws IOException {
        Path data = folder.resolve("data");
        GatewayOptions options = change.apply(GatewayOptions.loopback(port, data));
        keeper = new Keeper(
                data, folder.resolve("work"), LoopkeeperOptions.of(data).with(new Gateway(options)));
        api = WebApi.of(keeper);
    }

    /** A run of this agent in a loop; the script is run by sh. */
    private String start(String name, String script, String more) throws IOException {
        keeper.script(name + ".sh", script);
        return keeper.start("{name: " + name + ", agents: {dev: {command: ./" + name + ".sh, signal: " + name
                + ".json}}, phases: [{name: build, loop: {maxIterations: 9, noProgress: 0, steps: [dev]}}]" + more
                + "}");
    }

    /** Asks two questions and is done when it is answered; prints what it was told. */
    private String startAsking() throws IOException {
        String runId = start(
                "asking",
                "if [ -z \"$LOOPKEEPER_FEEDBACK\" ]; then echo asking\n"
                        + "echo '{\"status\": \"completed\", \"userInputNeeded\": true, \"questions\":"
                        + " [\"Which database?\", \"May the API change?\"]}' > asking.json\n"
                        + "else echo \"$LOOPKEEPER_FEEDBACK\"; echo '{\"determination\": \"SUCCESS\"}' > asking.json; fi",
                "");
        becomes(runId, "paused");
        return runId;
    }

    /** Two items that depend on each other; the first is rejected once. Each attempt costs 0.5. */
    private String startItems() throws IOException {
        keeper.script(
                "each.sh",
                "[ $LOOPKEEPER_ITEM$LOOPKEEPER_ATTEMPT = first1 ] && said=rejected || said=approved\n"
                        + "echo '{\"verdict\": \"'$said'\", \"keyConcern\": \"the sky is green\", \"usage\": {\"costUsd\": 0.5}}' > each.json");
        return keeper.start(
                "{name: items, agents: {i: {command: ./each.sh, signal: each.json}}, budget: {costUsd: 9},"
                        + " phases: [{name: frames, each: {items: [{id: second, dependsOn: [first]}, {id: first}], steps: [i]}}]}");
    }

    private void becomes(String runId, String status) {
        assertThat(keeper.until(runId, status).path("runId").asText()).isEqualTo(runId);
    }

    private void open(String hash) {
        browser.go(keeper.url() + "/" + hash);
    }

    private void sees(String selector, String text) {
        browser.sees(selector, text);
    }

    @Test
    void whatWaitsIsFoundAndBothQuestionsAreAnsweredAndTheRunGoesOn() throws IOException {
        serve();
        String runId = startAsking();
        open("");
        sees("#list-needs tr.run", "Which database?");
        browser.until("no count in the title", now -> now.getTitle().equals("(1) Loopkeeper"));
        browser.click("#list-needs a.row");
        sees(".question:nth-of-type(2) label", "May the API change?");
        browser.until(
                "the iteration is not told as asked",
                now -> !now.findElements(By.cssSelector(".cell[aria-label*='iteration 1: asked']"))
                        .isEmpty());
        sees(".strip .legend", "? asked");
        browser.fill("#answer-0", "PostgreSQL");
        browser.click("#send");
        sees("dialog", "Question 2 has no answer");
        browser.click("#cancel");
        browser.focused("#answer-1");
        browser.fill("#answer-1", "no");
        browser.click("#send");
        sees(".run-head h1", "completed");
        sees("#log .text", "Answer: PostgreSQL");
        sees("#log .text", "Question: May the API change?");
        browser.until("the title still counts it", now -> now.getTitle().equals("Loopkeeper"));
        assertThat(keeper.until(runId, "completed").path("execution").asInt()).isEqualTo(1);
    }

    @Test
    void aRowTellsTheVerdictsFromBeforeThePageWasOpened() throws IOException {
        serve();
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
                                + "it.remember(store, 'r', [row(1, 'PROGRESS'), row(2, 'PROGRESS'), row(3, null)]);"
                                + "it.remember(store, 'unknown', [row(1, 'PROGRESS')]);"
                                + "return store.runs.get('r').verdicts.map(each => each.verdict).join();"))
                .isEqualTo("\"PROGRESS,STALLED\"");
    }

    /** The page is told of the newest 50 that ended only. */
    @Test
    void aSearchFindsARunThatThePageDoesNotKnow() throws IOException {
        serve();
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
    void theKeyboardAloneLeadsFromTheListToTheAnswer() throws IOException {
        serve();
        String runId = startAsking();
        open("");
        sees("#list-needs tr.run", "asking");
        browser.press("j");
        browser.focused("#list-needs a.row");
        browser.press(Keys.ENTER);
        sees(".question label", "Which database?");
        browser.press("a");
        browser.focused("#answer-0");
        browser.press("MySQL", Keys.TAB);
        browser.focused("#answer-1");
        browser.press("yes");
        browser.pressWith(Keys.CONTROL, Keys.ENTER);
        sees(".run-head h1", "completed");
        browser.press(Keys.ESCAPE);
        browser.press("g");
        browser.press("r");
        sees("#list-ended tr.run", "asking");
        browser.press("?");
        sees("dialog[open]", "Keys");
        browser.press(Keys.ESCAPE);
        browser.seesNo("dialog");
        browser.press("/");
        browser.focused("#search");
        browser.press("no such run");
        sees("main", "No run matches the search and filter.");
        becomes(runId, "completed");
    }

    /** A button that is disabled while the server is asked would lose it. */
    @Test
    void aPreviewAndAStopLeaveTheKeyboardWhereItIs() throws IOException {
        serve();
        String runId = startAsking();
        open("#/runs/" + runId);
        sees(".question label", "Which database?");
        browser.fill("#answer-0", "MySQL");
        browser.fill("#answer-1", "no");
        browser.driver.executeScript("document.querySelector('#preview').focus()");
        browser.press(Keys.ENTER);
        sees(".preview.good", "Launches dev, iteration 2");
        browser.focused("#preview");
        browser.pressWith(Keys.CONTROL, Keys.ENTER);
        sees(".run-head h1", "completed");
        String endless = start("endless", "exec sleep 600", "");
        await().until(() -> api.get("/processes").body().path("processes").size() == 1);
        open("#/runs/" + endless);
        sees("#stop", "Stop");
        browser.press(".");
        browser.press(Keys.TAB, Keys.ENTER);
        sees("dialog li", "endless.sh");
        browser.focused("#cancel");
        browser.press(Keys.TAB, Keys.ENTER);
        sees("#stopped .receipt caption", "All gone");
        browser.focused("#close");
        browser.press(Keys.ENTER);
        browser.seesNo("dialog");
        sees(".run-head h1", "stopped");
    }

    @Test
    void aCapIsRaisedWithADryRunFirst() throws IOException {
        serve();
        String runId = start(
                "spent",
                "case $LOOPKEEPER_ITERATION in 1) said=PROGRESS;; *) said=SUCCESS;; esac\n"
                        + "echo '{\"determination\": \"'$said'\", \"usage\": {\"costUsd\": 3.5}}' > spent.json",
                ", budget: {costUsd: 3}");
        becomes(runId, "stopped");
        open("");
        sees("#list-needs td.do", "Resume");
        browser.click("#list-needs a.row");
        sees(".why", "budget used up");
        sees(".field label[title='budget.costUsd']", "Cost cap in US dollars");
        browser.fill("#field-budget-costUsd", "3");
        browser.click("#send");
        sees("#field-budget-costUsd-problem", "3 is too low; the smallest value that works is 3.51.");
        browser.focused("#field-budget-costUsd[aria-invalid=true]");
        browser.fill("#field-budget-costUsd", "20");
        browser.click("#preview");
        sees(".preview.good", "Launches dev, iteration 2 of 9; $16.50 left.");
        assertThat(keeper.get(runId).path("status").asText()).isEqualTo("stopped");
        browser.click("#send");
        sees(".run-head h1", "completed");
        sees(".numbers", "$7.00 of $20.00");
        open("");
        sees("#list-ended tr.run", "completed");
    }

    @Test
    void aStopIsConfirmedAndItsReceiptShown() throws IOException {
        serve();
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
    void aLogIsFollowedThroughARestartOfTheServer() throws IOException {
        serve();
        String runId = start(
                "talking",
                "echo one\nwhile [ ! -f two ]; do sleep 0.1; done\necho two\nwhile [ ! -f end ]; do sleep 0.1; done\n"
                        + "echo three; echo '{\"determination\": \"SUCCESS\"}' > talking.json",
                "");
        open("#/runs/" + runId + "/steps/build.1.dev.1");
        sees("#log .text", "one");
        keeper.close();
        keeper = null;
        sees("#connection", "lost");
        sees("#lost", "The server does not answer.");
        assertThat(browser.ofModule("api.js", "return it.get('/processes').catch(failed => failed.message);"))
                .isEqualTo("\"The server cannot be reached.\"");
        Files.createFile(folder.resolve("work/two"));
        await().ignoreExceptions().until(() -> {
            serve();
            return true;
        });
        sees("#connection", "live");
        sees(".notice", "The server was restarted; 1 run continues.");
        sees("#log .line:nth-child(2)", "two");
        Files.createFile(folder.resolve("work/end"));
        sees(".run-head h1", "completed");
        sees("#log .line:nth-child(3)", "three");
        browser.until(
                "a line was lost or came twice",
                now -> now.executeScript(
                        "return [...document.querySelectorAll('#log .text')].map(it => it.textContent).join() === 'one,two,three'"));
    }

    /** Browsers keep six connections to one server. */
    @Test
    void manyTabsThatFollowLogsDoNotStarveEachOther() throws IOException {
        serve();
        String runId = start("talking", "echo one; exec sleep 600", "");
        String first = browser.driver.getWindowHandle();
        try {
            for (int tab = 0; tab < MANY_TABS; tab++) {
                browser.driver.switchTo().newWindow(WindowType.TAB);
                open("#/runs/" + runId);
                sees("#log .text", "one");
                sees("#connection", "live");
            }
        } finally {
            for (String handle : browser.driver.getWindowHandles()) {
                if (!handle.equals(first)) {
                    browser.driver.switchTo().window(handle).close();
                }
            }
            browser.driver.switchTo().window(first);
            // An agent outlives its server.
            assertThat(api.post("/runs/" + runId + "/stop", "{}").status()).isEqualTo(202);
            becomes(runId, "stopped");
        }
    }

    /** As behind a proxy that does not know WebSockets. */
    @Test
    void whereNoWebSocketCanBeHadTheFeedComesAsAStream() throws IOException {
        serve();
        String runId = startAsking();
        Map<String, Object> without = browser.driver.executeCdpCommand(
                "Page.addScriptToEvaluateOnNewDocument",
                Map.of(
                        "source",
                        "window.Worker = class { postMessage(asked) { if (asked.url) setTimeout(() => this.onmessage({data: {closed: true}}), 0); }"
                                + " terminate() {} };"));
        try {
            open("#/runs/" + runId);
            sees("#connection", "live");
            sees("#decide", "Which database?");
            assertThat(api.post("/runs/" + runId + "/resume", "{\"action\": \"continue\", \"feedback\": \"any\"}")
                            .status())
                    .isEqualTo(202);
            sees(".run-head h1", "completed");
        } finally {
            browser.driver.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", without);
        }
    }

    @Test
    void aLinkLeadsToItsPlaceAlsoAfterAReload() throws IOException {
        serve();
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
    void nothingStandsInTheWayOfAnyoneInLightAndDarkOnDesktopAndPhone() throws IOException {
        serve();
        String asking = startAsking();
        String items = startItems();
        keeper.untilEnded(items);
        List<String> found = new ArrayList<>();
        try {
            for (String hash : List.of(
                    "#/",
                    "#/runs/" + asking,
                    "#/runs/" + asking + "/events",
                    "#/runs/" + items + "/items",
                    "#/runs/" + items + "/cost",
                    "#/processes",
                    "#/new")) {
                open(hash);
                browser.until(
                        "not there yet: " + hash,
                        now -> now.executeScript(
                                "return Boolean(document.querySelector('#list-ended, #log .line, .events td, .items td, #cost svg, #find-orphans, #manifest'))"));
                browser.bringAxe();
                for (String scheme : List.of("light", "dark")) {
                    // Only the colours differ between the two.
                    String rules = scheme.equals("light") ? "{}" : "{runOnly: ['color-contrast']}";
                    browser.looksLike(scheme, 1280, false);
                    browser.violations(rules).forEach(each -> found.add(hash + " " + scheme + " desktop " + each));
                    browser.looksLike(scheme, 390, true);
                    browser.violations(rules).forEach(each -> found.add(hash + " " + scheme + " phone " + each));
                    if (Boolean.TRUE.equals(browser.driver.executeScript(
                            "return document.documentElement.scrollWidth > document.documentElement.clientWidth"))) {
                        found.add(hash + " is wider than a phone");
                    }
                }
            }
        } finally {
            browser.looksAsAlways();
        }
        assertThat(found).isEmpty();
    }

    @Test
    void itemsShowWhatBecameOfEachAttemptAndTheCostWhereItLeads() throws IOException {
        serve();
        String runId = startItems();
        keeper.untilEnded(runId);
        open("#/runs/" + runId + "/items");
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
        serve();
        Files.writeString(folder.resolve("work/task.md"), "Do {{iteration}} of <b>these</b>.\nThen stop.\n");
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
    void ofARunThatIsRemovedWhileSomebodyLooksThePageSaysSo() throws IOException {
        serve();
        String runId = keeper.start("{name: old, agents: {a: {command: 'true'}}, phases: [{name: a, task: a}]}");
        keeper.untilEnded(runId);
        open("#/runs/" + runId);
        sees(".run-head h1", "completed");
        assertThat(api.post("/runs/prune", "{\"keep\": 0, \"dryRun\": false}")
                        .body()
                        .path("runs"))
                .hasSize(1);
        browser.click(".tabs a[href$=manifest]");
        sees("main h1", "There is no run " + runId);
        open("#/runs/" + runId + "/events");
        sees("main h1", "There is no run " + runId);
    }

    @Test
    void aProcessIsEndedFromTheListOfAll() throws IOException {
        serve();
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

    @Test
    void whatAgentsSayIsNeverMarkup() throws IOException {
        serve();
        String told = "'" + MARKUP + "'";
        keeper.script(
                "bad.sh",
                "echo " + told + "\necho " + told + " >&2\n"
                        + "printf '{\"determination\": \"ANOMALY\", \"keyConcern\": \"%s\", \"anomalyType\": \"%s\", \"questions\":"
                        + " [\"%s\"], \"userInputNeeded\": true, \"gaps\": [\"%s\"], \"milestoneNote\": \"%s\"}' "
                        + String.join(" ", List.of(told, told, told, told, told)) + " > bad.json");
        String runId = keeper.start("{name: bad, agents: {dev: {command: ./bad.sh, signal: bad.json}},"
                + " phases: [{name: build, loop: {steps: [dev]}}]}");
        becomes(runId, "paused");
        open("");
        sees("#list-needs .why", "<img src=x");
        open("#/runs/" + runId);
        sees(".question label", "<script>");
        sees(".facts", "onerror=");
        sees("#log .text", "<img src=x");
        browser.click(".log-bar button:nth-child(3)");
        sees("#log .text", "<img src=x");
        browser.fill("#find", "nothing like it");
        browser.until(
                "lines that lack it are shown",
                now -> now.executeScript("return [...document.querySelectorAll('#log .line')].every(it => it.hidden)"));
        browser.fill("#find", "IMG SRC");
        sees("#log .text", "<img src=x");
        open("#/runs/" + runId + "/events");
        sees(".events", "<img src=x");
        browser.click(".events details summary");
        sees(".events pre", runId);
        assertThat(browser.driver.executeScript(
                        "return window.hacked === undefined && !document.querySelector('#app img, #app script')"))
                .isEqualTo(true);
    }

    @Test
    void aTokenIsAskedForOnceAndForgottenAtTheSignOut() throws IOException {
        String reader = "reader-0123456789abcdef";
        String operator = "operator-0123456789abcdef";
        Path tokens = Files.writeString(folder.resolve("tokens"), reader + " read\n" + operator + " control\n");
        serve(options -> options.on("127.0.0.1", Optional.of(tokens)));
        String runId = startAsking();
        open("#/runs/" + runId);
        browser.focused("#token");
        browser.fill("#token", "wrong-0123456789abcdef");
        browser.click("#sign-in button");
        sees("#sign-in .problem", "does not accept");
        browser.seesNo("header, nav, table");
        browser.fill("#token", operator);
        browser.click("#sign-in button");
        sees("#decide", "Which database?");
        browser.driver.navigate().refresh();
        sees("#decide", "Which database?");
        browser.click("#sign-out");
        browser.fill("#token", reader);
        browser.click("#sign-in button");
        sees(".why", "Your token has the scope read");
        sees(".why", "Which database?");
        sees(".why", "May the API change?");
        browser.seesNo("#stop");
    }

    @Test
    void theEmptyPageRunsAnExampleAtOneClick() throws IOException {
        serve();
        open("");
        sees(".empty code", "loopkeeper init demo && loopkeeper submit demo/loopkeeper.yaml");
        browser.click("#example");
        sees(".run-head h1", "completed");
        sees("#log .text", "hello, 3 of 3");
    }

    @Test
    void aNewRunIsCheckedWhileItIsWrittenAndStarts() throws IOException {
        serve();
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

    /** Else the page would show something else before a reload than after it. */
    @Test
    void eventsFoldToTheRunThatTheServerTells() throws IOException {
        serve();
        keeper.script(
                "each.sh",
                "echo '{\"verdict\": \"approved\", \"usage\": {\"costUsd\": 0.5, \"inputTokens\": 7}}' > each.json");
        keeper.script(
                "loop.sh",
                "[ $LOOPKEEPER_ITERATION = 2 ] && said=SUCCESS || said=PROGRESS\n"
                        + "echo '{\"determination\": \"'$said'\", \"keyConcern\": \"none\", \"usage\": {\"costUsd\": 0.25}}' > loop.json");
        String runId = keeper.start(
                "{name: folded, agents: {i: {command: ./each.sh, signal: each.json},"
                        + " l: {command: ./loop.sh, signal: loop.json}, g: {command: 'true'}},"
                        + " phases: [{name: items, each: {items: [{id: a}, {id: b}], steps: [i]}},"
                        + " {name: build, loop: {maxIterations: 5, steps: [l]}}, {name: check, gate: g}], budget: {costUsd: 9}}");
        keeper.untilEnded(runId);
        JsonNode run = api.get("/runs/" + runId).body();
        open("");
        sees("#list-ended", "folded");
        String folded = browser.ofModule(
                "fold.js",
                "const {events} = await (await fetch('/api/v1/runs/" + runId + "/events?limit=1000')).json();"
                        + "let run; for (const event of events) run = it.fold(run, event);"
                        + "for (const event of events) run = it.fold(run, event);"
                        + "return run;");
        JsonNode page = FeedListener.parse(folded);
        for (String same : List.of(
                "/status",
                "/sequence",
                "/execution",
                "/name",
                "/usage/costUsd",
                "/usage/inputTokens",
                "/usage/costKnown",
                "/limits/costUsd",
                "/phases",
                "/last/verdict",
                "/last/stepId",
                "/termination",
                "/resumable",
                "/createdAt",
                "/startedAt",
                "/endedAt",
                "/activeMs",
                "/position/countedIterations",
                "/pause")) {
            assertThat(comparable(page.at(same))).as(same).isEqualTo(comparable(run.at(same)));
        }
        assertThat(page.path("verdicts")).hasSize(2);
    }

    /** The row said "NaN days" after the next usage report: the page did not know when the step had begun. */
    @Test
    void aPageOpenedInTheMiddleOfAStepKnowsSinceWhenItRuns() throws IOException {
        serve();
        String said = "echo '{\"type\": \"assistant\", \"message\": {\"id\": \"m%d\","
                + " \"usage\": {\"input_tokens\": 7, \"output_tokens\": 1}, \"content\": []}}'\n";
        keeper.script(
                "dev.sh",
                said.formatted(1) + "while [ ! -e more ]; do sleep 0.05; done\n" + said.formatted(2)
                        + "while [ ! -e end ]; do sleep 0.05; done\n");
        String runId = keeper.start("{name: halfway, agents: {dev: {command: ./dev.sh, output: claude-code}},"
                + " phases: [{name: p, task: dev}]}");
        awaitInputTokens(runId, 7);
        open("");
        sees("#list-going tr.run", "halfway");
        sees("#list-going .step", "dev");

        Files.createFile(keeper.workspace().resolve("more"));
        awaitInputTokens(runId, 14);
        String folded = browser.ofModule(
                "fold.js",
                "const run = await (await fetch('/api/v1/runs/" + runId + "')).json();"
                        + "const event = {runId: run.runId, sequence: run.sequence + 1, type: 'step.usage', at: run.startedAt,"
                        + " data: {stepId: 'p.dev.1', usage: {costUsd: null, inputTokens: 20, outputTokens: 3, turns: null}}};"
                        + "const after = it.fold(it.adopt(undefined, run), event);"
                        + "return [after.usage.inputTokens, after.open['p.dev.1'].agent,"
                        + " Number.isNaN(Date.parse(after.open['p.dev.1'].startedAt))];");
        assertThat(folded).isEqualTo("[20,\"dev\",false]");
        assertThat(browser.text()).contains("dev").doesNotContain("NaN");
        Files.createFile(keeper.workspace().resolve("end"));
        keeper.untilEnded(runId);
    }

    private void awaitInputTokens(String runId, long tokens) {
        await().until(() ->
                api.get("/runs/" + runId).body().at("/usage/inputTokens").asLong() == tokens);
    }

    /** Scripts know one kind of number only. */
    private static Object comparable(JsonNode node) {
        return node.isNumber() ? node.asDouble() : node;
    }
}
