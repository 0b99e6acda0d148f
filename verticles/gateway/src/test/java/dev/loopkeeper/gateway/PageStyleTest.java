package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.SmallRepository;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** How the dashboard looks: sizes, distances, colours, and what is in view. One server for all tests. */
class PageStyleTest extends WithBrowser {
    @TempDir
    static Path folder;

    private static Keeper keeper;
    private static String asking;
    private static String blocked;
    private static String limited;
    private static String merged;

    @BeforeAll
    static void serve() throws IOException {
        Path data = folder.resolve("data");
        keeper = new Keeper(
                data,
                SmallRepository.in(folder.resolve("work")).folder(),
                LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data))));
        keeper.script(
                "dev.sh",
                "[ $LOOPKEEPER_ITERATION = 2 ] && said=STALLED || said=PROGRESS\n"
                        + "echo '{\"determination\": \"'$said'\", \"keyConcern\": \"3 of 9 rules\", \"usage\": {\"costUsd\": 0.5}}' > dev.json");
        keeper.script(
                "each.sh",
                "[ $LOOPKEEPER_ITEM$LOOPKEEPER_ATTEMPT = charts2 ] && said=approved || said=rejected\n"
                        + "echo '{\"verdict\": \"'$said'\", \"keyConcern\": \"the header row is lost\"}' > each.json");
        asking = keeper.start("{name: asking, agents: {a: {command: [sh, -c, '\"$LOOPKEEPER_SIGNAL\" --question"
                + " \"Which database?\"'], signal: .loopkeeper/a.json}}, phases: [{name: build, loop: {steps: [a],"
                + " maxIterations: 5}}]}");
        blocked = keeper.start(
                "{name: blocked, agents: {a: {command: ./each.sh, signal: each.json}}, phases: [{name: p,"
                        + " each: {items: [{id: export}, {id: share, dependsOn: [export]}, {id: charts}], steps: [a],"
                        + " maxAttempts: 2}}], retry: {stopConditions: {maxRetryRate: 0, maxRejectRate: 0, maxConsecutiveFails: 0}}}");
        limited = keeper.start(
                "{name: limited, budget: {costUsd: 9}, agents: {dev: {command: ./dev.sh, signal: dev.json}},"
                        + " phases: [{name: build, loop: {steps: [dev], maxIterations: 3, noProgress: 0}}]}");
        merged = keeper.start("{name: merged, isolation: {git: worktree}, agents: {dev: {command: [sh, -c,"
                + " 'echo a > a.txt']}}, phases: [{name: build, task: dev}]}");
        keeper.until(asking, "paused");
        for (String runId : List.of(blocked, limited, merged)) {
            keeper.untilEnded(runId);
        }
    }

    @AfterAll
    static void close() {
        keeper.close();
    }

    @AfterEach
    void looksAsAlways() {
        browser.looksAsAlways();
        browser.driver.get("about:blank");
    }

    private static void open(String hash, String selector) {
        browser.go(keeper.url() + "/" + hash);
        browser.until(
                "not there yet: " + hash,
                now -> !now.findElements(By.cssSelector(selector)).isEmpty());
    }

    /** Each view with what of it comes last. */
    private static Map<String, String> views() {
        return new TreeMap<>(Map.of(
                "",
                "#list-ended tr.run",
                "#/runs/" + asking,
                "#decide",
                "#/runs/" + blocked + "/items",
                ".items .attempt",
                "#/runs/" + limited,
                "#log .line",
                "#/runs/" + limited + "/cost",
                "#cost .curve",
                "#/runs/" + merged + "/diff",
                ".diff-line.plus",
                "#/runs/" + limited + "/events",
                ".events td",
                "#/processes",
                "#find-orphans",
                "#/new",
                "#manifest"));
    }

    private static final String OTHER_SIZES = """
            const scale = ['tiny', 'small', 'body', 'large', 'title']
              .map(name => parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--' + name)) * 16);
            const hasText = it => it.matches('input, textarea, select')
              || [...it.childNodes].some(each => each.nodeType === 3 && each.data.trim());
            return [...document.querySelectorAll('body *')].filter(it => it.checkVisibility() && hasText(it))
              .filter(it => !scale.includes(parseFloat(getComputedStyle(it).fontSize)))
              .map(it => it.tagName + '.' + it.className + ' ' + getComputedStyle(it).fontSize);
            """;

    private static final String OTHER_DISTANCES = """
            const scale = [-1, 0, 2, 4, 6, 8, 12, 16, 24, 32, 48, 96];
            const inPixels = text => text.endsWith('rem') ? parseFloat(text) * 16 : text.endsWith('px') || text === '0' ? parseFloat(text) : 0;
            const rulesOf = rules => [...rules].flatMap(each => each.cssRules?.length ? rulesOf(each.cssRules) : each.style ? [each] : []);
            return rulesOf(document.styleSheets[0].cssRules).flatMap(rule => [...rule.style].filter(name => /^(margin|padding|.*gap)/.test(name))
              .map(name => [rule.selectorText, name, rule.style.getPropertyValue(name)]))
              .filter(([, , text]) => !text.includes('%') && !scale.includes(inPixels(text))).map(each => each.join(' '));
            """;

    private static final String WORDS_AND_KINDS = """
            const kinds = ['good', 'go', 'act', 'bad', 'slow', 'wait', 'none'];
            const kindOf = it => kinds.find(kind => it.classList.contains(kind));
            const named = (it, text) => [text.replace(/^[^a-z]+/i, '').trim(), kindOf(it)];
            return [...document.querySelectorAll('.word')].map(it => named(it, it.textContent))
              .concat([...document.querySelectorAll('.attempt')].map(it => named(it, it.title.replace(/attempt \\d+: /, '').replace(/,.*/, ''))))
              .concat([...document.querySelectorAll('.legend .key')].filter(kindOf).map(it => named(it, it.parentElement.textContent.replace(it.textContent, ''))));
            """;

    private static final String COLOURS = """
            const place = document.createElement('p');
            document.getElementById('app').append(place);
            const rgb = (property, value) => {
              place.style[property] = value;
              return getComputedStyle(place)[property].match(/\\d+/g).map(Number);
            };
            const light = colour => colour.map(each => each / 255).map(each => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
              .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
            const contrast = (one, other) => (Math.max(light(one), light(other)) + 0.05) / (Math.min(light(one), light(other)) + 0.05);
            const kinds = ['good', 'go', 'act', 'bad', 'slow', 'wait', 'link'].map(name => [name, rgb('color', `var(--${name})`)]);
            const backs = ['page', 'card', 'act-back'].map(name => [name, rgb('backgroundColor', `var(--${name})`)]);
            place.remove();
            return kinds.flatMap(([name, colour], index) => [
              ...backs.filter(([, back]) => contrast(colour, back) < 4.5).map(([back]) => name + ' on ' + back),
              ...kinds.slice(index + 1).filter(([, other]) => Math.hypot(...other.map((each, at) => each - colour[at])) < 50)
                .map(([other]) => name + ' looks like ' + other)]);
            """;

    /** What was rejected was brown in one table and red in another; stopped looked like paused, progress like a link. */
    @Test
    void lettersHaveFiveSizesDistancesOneScaleAndColoursOneMeaning() {
        Map<String, TreeSet<String>> kinds = new TreeMap<>();
        for (Map.Entry<String, String> view : views().entrySet()) {
            open(view.getKey(), view.getValue());
            assertThat((List<?>) browser.driver.executeScript(OTHER_SIZES))
                    .as(view.getKey())
                    .isEmpty();
            for (Object pair : (List<?>) browser.driver.executeScript(WORDS_AND_KINDS)) {
                List<?> found = (List<?>) pair;
                kinds.computeIfAbsent(String.valueOf(found.get(0)), word -> new TreeSet<>())
                        .add(String.valueOf(found.get(1)));
            }
        }
        assertThat((List<?>) browser.driver.executeScript(OTHER_DISTANCES)).isEmpty();
        assertThat(kinds).containsKeys("paused", "stopped", "completed", "rejected", "approved", "stalled", "progress");
        assertThat(kinds).allSatisfy((word, of) -> assertThat(of).as(word).hasSize(1));
        for (String scheme : List.of("light", "dark")) {
            browser.looksLike(scheme, 1280, false);
            assertThat((List<?>) browser.driver.executeScript(COLOURS))
                    .as(scheme)
                    .isEmpty();
        }
    }

    @Test
    void legendsNameWhatIsDrawnOnly() {
        open("#/runs/" + limited, ".strip .legend");
        browser.sees(".strip .legend", "P progress T stalled height: cost");
        browser.seesNo(".lanes .legend, .strip .key.again");
        open("#/runs/" + blocked, ".lanes .legend");
        browser.sees(".lanes .legend", "hatched bar: a retry");
        assertThat(browser.driver.findElement(By.cssSelector(".lanes .legend")).getText())
                .doesNotContain("wait");
    }

    @Test
    void aRowSaysInWordsWhereItsRunIs() {
        open("", "#list-ended tr.run");
        browser.sees("#list-needs .where", "build, iteration 3 of 3");
        browser.sees("#list-needs .where", "build, iteration 1, 0 of 5 used");
        browser.sees("#list-needs .where", "p, 1 of 3 items approved");
    }

    private static final String TOP =
            "return document.querySelector(arguments[0]).getBoundingClientRect().top / window.innerHeight";

    private static void inView(String selector) {
        browser.until(selector + " is not in view", now -> {
            double top = ((Number) now.executeScript(TOP, selector)).doubleValue();
            return top >= -0.01 && top < 0.75;
        });
    }

    @Test
    void theCardOfARunHasTheColourOfItsStatus() {
        open("#/runs/" + limited, ".card.stopped");
        assertThat(browser.driver.executeScript("const colour = (selector, name) =>"
                        + " getComputedStyle(document.querySelector(selector))[name];"
                        + "return colour('.card.stopped', 'borderLeftColor') === colour('.run-head .word', 'color')"))
                .isEqualTo(true);
    }

    @Test
    void whatIsChosenOfOneRunEndsWithIt() {
        open("#/runs/" + limited, "#log .line");
        browser.click(".log-bar button:nth-child(2)");
        browser.sees(".log-bar button[aria-pressed=true]", "Raw");
        browser.click("#help");
        browser.sees("dialog", "Keys");
        browser.driver.executeScript("location.hash = '#/runs/" + blocked + "'");
        browser.seesNo("dialog");
        browser.sees(".log-pane h2", "p.export.a.2");
        browser.sees(".log-bar button[aria-pressed=true]", "Readable");
        browser.sees(".lanes .choice", "Newest item");
    }

    /** A click changed a part of the page that was far below. */
    @Test
    void whatIsClickedComesIntoViewAndOnAPhoneTheTabsAreOneLine() {
        browser.looksLike("light", 390, true);
        open("#/runs/" + merged, ".lanes .lane");
        browser.click(".why a.button");
        browser.sees(".diff-line.plus", "a");
        inView(".tabs");
        assertThat(browser.driver.executeScript(
                        "return new Set([...document.querySelectorAll('.tabs li')].map(it => it.offsetTop)).size"))
                .isEqualTo(1L);
        open("#/runs/" + blocked, "#decide");
        browser.sees(".log-pane h2", "p.export.a.2");
        browser.click(".why .facts a");
        inView(".log-pane");
        browser.sees(".log-pane .outcome, .log-pane .step-facts", "the header row is lost");
    }
}
