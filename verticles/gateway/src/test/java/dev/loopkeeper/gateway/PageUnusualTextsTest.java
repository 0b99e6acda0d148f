package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The dashboard where texts and clocks are not as one thinks: a real browser, a real server, real agents. */
class PageUnusualTextsTest extends WithServer {
    private static final String MARKUP = "<img src=x onerror=window.hacked=1><script>window.hacked=2</script>";

    /** What turns direction around, also out of an isolation; Hebrew; a letter under sixty marks. */
    private static final String STRANGE =
            "begin \u202eRLO \u2069\u202cPDI \u2067\u05e9\u05dc\u05d5\u05dd 12 e" + "\u0301".repeat(60) + " end";

    /** What of it is left on the page, in texts and in titles; nothing if all is tame. */
    private static final String WILD = "const found = [];"
            + "const look = (where, text) => { const left = text.replace(/\\u2068[^\\u2068\\u2069]*\\u2069/g, '');"
            + " if (/[\\u202a-\\u202e\\u2066-\\u2069]|\\p{M}{6}/u.test(left)) found.push(where + ': ' + escape(text)); };"
            + "const walk = document.createTreeWalker(document, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);"
            + "while (walk.nextNode()) { const node = walk.currentNode;"
            + " if (node.nodeType === 3) look(node.parentNode.tagName + '.' + node.parentNode.className, node.data);"
            + " else for (const each of node.attributes) look(node.tagName + '@' + each.name, each.value); }"
            + "look('title', document.title); return found;";

    private String start(String name, String script) throws IOException {
        keeper.script("agent.sh", script);
        return keeper.start("{name: \"" + name + "\", agents: {dev: {command: ./agent.sh, signal: agent.json}},"
                + " phases: [{name: build, loop: {maxIterations: 9, noProgress: 0, steps: [dev]}}]}");
    }

    private static List<?> wild() {
        return (List<?>) browser.driver.executeScript(WILD);
    }

    @Test
    void bidirectionalAndCombiningTextsChangeNothingAroundThem() throws IOException {
        String text =
                "{\"determination\": \"ANOMALY\", \"keyConcern\": \"" + STRANGE + "\", \"anomalyType\": \"" + STRANGE
                        + "\", \"userInputNeeded\": true, \"questions\": [\"" + STRANGE
                        + "\", \"\\u202eescaped\"], \"gaps\": [\""
                        + STRANGE + "\"], \"milestoneNote\": \"" + STRANGE + "\"}";
        Files.writeString(keeper.workspace().resolve("said.json"), text);
        Files.writeString(keeper.workspace().resolve("said.txt"), STRANGE + "\n");
        String script =
                "while [ ! -f go ]; do sleep 0.1; done; cat said.txt; cat said.txt >&2; cp said.json agent.json";
        String message =
                "window.told = []; window.Notification = class { constructor(title, more) { told.push(title, more.body); }"
                        + " static permission = 'granted'; }; Object.defineProperty(document, 'hidden', {get: () => Boolean(window.away)});";
        String runId = start("odd", script);
        with(message, () -> {
            open("");
            sees("#list-going", "odd");
            browser.driver.executeScript("window.away = true;");
            write("go");
            browser.until("nobody was told", now -> now.executeScript("return told.length > 1"));
            browser.driver.executeScript("window.away = false;");
            assertThat(String.valueOf(browser.driver.executeScript("return told.join()")))
                    .contains("[U+202E]", "\u2068")
                    .doesNotContain("\u202e", "\u0301".repeat(6));
        });
        sees("#list-needs .why", "[U+202E]RLO [U+2069]");
        assertThat(wild()).isEmpty();
        open("#/runs/" + runId);
        sees(".question:nth-of-type(2) label", "[U+202E]escaped");
        sees(".facts", "[U+2067]\u05e9\u05dc\u05d5\u05dd");
        sees("#log .text", "RLO");
        assertThat(wild()).isEmpty();
        for (int mode = 2; mode <= 3; mode++) {
            browser.click(".log-bar button:nth-child(" + mode + ")");
            sees("#log .text", "[U+202E]RLO");
            assertThat(wild()).isEmpty();
        }
        for (String tab : List.of("events", "manifest", "cost", "processes")) {
            open("#/runs/" + runId + "/" + tab);
            sees(".why", "[U+202E]");
            assertThat(wild()).as(tab).isEmpty();
        }
    }

    private void write(String name) {
        try {
            Files.createFile(keeper.workspace().resolve(name));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    @Test
    void showsAgesByTheClockOfTheServer() throws IOException {
        String runId =
                start("late", "echo '{\"determination\": \"ANOMALY\", \"usage\": {\"costUsd\": 3.5}}' > agent.json");
        keeper.until(runId, "paused");
        String dayAndHour =
                "(() => { const Real = Date; const off = 25 * 3600 * 1000; window.Date = class extends Real {"
                        + " constructor(...given) { super(...(given.length ? given : [Real.now() + off])); }"
                        + " static now() { return Real.now() + off; } }; })();";
        for (String script : List.of(dayAndHour, dayAndHour.replace("off = 25", "off = -25"))) {
            with(script, () -> {
                open("");
                sees("#list-needs .age", "now");
                sees("#today", "$3.50");
                open("#/runs/" + runId);
                sees(".why h2", "Paused just now");
            });
        }
        assertThat(browser.ofModule(
                        "clock.js",
                        "const date = 'Sun, 01 Nov 2026 09:05:00 GMT'; const at = Date.parse(date);"
                                + "return [it.aheadOf(0, date, at - 10, at + 20), it.aheadOf(0, date, at + 980, at + 1010),"
                                + " it.aheadOf(0, date, at + 3600000, at + 3600100), it.aheadOf(-3599500, date, at + 3600000, at + 3600100),"
                                + " it.aheadOf(7, 'no date', at, at), it.aheadOf(5000000, date, at, at + 10)]"))
                .isEqualTo("[0,0,-3599550,-3599500,7,0]");
    }

    @Test
    void whatAgentsSayIsNeverMarkup() throws IOException {
        String text = "'" + MARKUP + "'";
        keeper.script(
                "bad.sh",
                "echo " + text + "\necho " + text + " >&2\n"
                        + "printf '{\"determination\": \"ANOMALY\", \"keyConcern\": \"%s\", \"anomalyType\": \"%s\", \"questions\":"
                        + " [\"%s\"], \"userInputNeeded\": true, \"gaps\": [\"%s\"], \"milestoneNote\": \"%s\"}' "
                        + String.join(" ", List.of(text, text, text, text, text)) + " > bad.json");
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
}
