package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard with much to show. The build asserts what it shows, and no time; {@code
 * -Dloopkeeper.page.seconds=60 -Dloopkeeper.page.runs=300 -Dloopkeeper.page.many=10000} measures, see {@code
 * docs/benchmarks.md}.
 */
class PageLoadTest extends WithBrowser {
    private static final int SECONDS = Integer.getInteger("loopkeeper.page.seconds", 1);
    private static final int RUNS = Integer.getInteger("loopkeeper.page.runs", 60);
    private static final int MANY = Integer.getInteger("loopkeeper.page.many", 500);
    private static final int ITERATIONS = Integer.getInteger("loopkeeper.page.iterations", 300);
    private static final String LOG_BYTES = System.getProperty("loopkeeper.page.log", "64M");
    /** How many elements a page may build before it lets the browser do something else. */
    private static final int MOST_BUILT = 2000;

    private static final String COUNT = "window.built = 0; new MutationObserver(all => { let many = 0;"
            + " for (const each of all) for (const node of each.addedNodes)"
            + " many += 1 + (node.querySelectorAll ? node.querySelectorAll('*').length : 0);"
            + " window.built = Math.max(window.built, many); }).observe(document, {childList: true, subtree: true});"
            + "window.pieces = 0; window.Worker = class extends Worker { constructor(...given) { super(...given);"
            + " this.addEventListener('message', ({data}) => { if (data.texts) window.pieces++; }); } };"
            + "performance.setResourceTimingBufferSize(100000);";
    /** Traced where it is measured. */
    private static final boolean MEASURED = SECONDS > 1;

    private Trace trace;

    @TempDir
    Path data;

    @BeforeAll
    static void count() {
        browser.driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", COUNT));
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, "BENCH page, " + format + "%n", values);
    }

    private void watch() throws IOException, InterruptedException {
        trace = MEASURED ? Trace.of(browser.driver) : null;
    }

    private String tasks() throws IOException {
        return trace == null ? "tasks not measured" : trace.tasks();
    }

    /** How many elements were built at most in one go; independent of how busy the machine is. */
    private static long built() {
        Object most = browser.driver.executeScript("return window.built");
        assertThat((Long) most).as("elements built in one go").isLessThanOrEqualTo(MOST_BUILT);
        return (Long) most;
    }

    private static long requests() {
        return (Long) browser.driver.executeScript(
                "return performance.getEntriesByType('resource').filter(each => each.name.includes('/api/')).length");
    }

    /** In how many pieces events came, and so in how many tasks: however long it takes, no more than 20 in a second. */
    private static long pieces() {
        List<?> pieces =
                (List<?>) browser.driver.executeScript("return [window.pieces, Math.ceil(performance.now() / 50) + 1]");
        assertThat((Long) pieces.get(0)).as("pieces of the feed").isPositive().isLessThanOrEqualTo((Long)
                pieces.get(1));
        return (Long) pieces.get(0);
    }

    private static double heap() {
        browser.driver.executeCdpCommand("HeapProfiler.collectGarbage", Map.of());
        Map<String, Object> usage = browser.driver.executeCdpCommand("Runtime.getHeapUsage", Map.of());
        return ((Number) usage.get("usedSize")).doubleValue() / (1 << 20);
    }

    /** How long from a click on the first of these until this is on the page, in ms. */
    private static double click(String selector, String until) {
        Object took = browser.driver.executeAsyncScript(
                "const [selector, until, done] = arguments; const found = document.querySelector(selector);"
                        + "const begin = performance.now(); found.click();"
                        + "const look = () => document.querySelector(until) ? done(performance.now() - begin)"
                        + " : requestAnimationFrame(look); look();",
                selector,
                until);
        return ((Number) took).doubleValue();
    }

    @Test
    void manyRunsAtAThousandEventsASecondAreFoldedAndClicksAnswered() throws IOException, InterruptedException {
        try (GatewayFixture fixture = GatewayFixture.plain(data)) {
            EventLoad load = new EventLoad(fixture, RUNS);
            watch();
            browser.go("http://127.0.0.1:" + fixture.gateway.port() + "/");
            browser.sees("#list-going .title", "(" + RUNS + ")");
            double before = heap();
            long begin = System.nanoTime();
            Future<Void> all = load.events(SECONDS);
            List<Double> clicks = new ArrayList<>();
            do {
                clicks.add(click("#list-going a.row", ".run-head h1"));
                clicks.add(click(".brand a", "#list-going a.row"));
            } while (!all.isComplete() && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(10L * SECONDS + 60));
            GatewayFixture.soon(all);
            double took = (System.nanoTime() - begin) / 1e9;
            RealRun last = load.runs.get(RUNS - 1);
            String spent = String.format(
                    Locale.ROOT,
                    "$%.2f",
                    last.views.get(last.state().sequence()).at("/usage/costUsd").asDouble());
            browser.fill("#search", last.runId);
            browser.sees("#list-going .cost", spent);
            print(
                    "%d runs, %.0f events/s for %.0f s in %d pieces: %s; at most %d elements in one go; %d clicks, the slowest %.0f ms;"
                            + " %d requests; heap %.1f MiB, before %.1f MiB",
                    RUNS,
                    EventLoad.RATE * SECONDS / took,
                    took,
                    pieces(),
                    tasks(),
                    built(),
                    clicks.size(),
                    clicks.stream().mapToDouble(each -> each).max().orElse(0),
                    requests(),
                    heap(),
                    before);
        } finally {
            browser.driver.get("about:blank");
        }
    }

    @Test
    void aListOfThousandsIsShownInParts() throws IOException, InterruptedException {
        try (GatewayFixture fixture = GatewayFixture.plain(data)) {
            for (int index = 0; index < MANY; index++) {
                String runId = "many-" + index;
                fixture.happens(TestRuns.event(runId, 1, "run.paused"), TestRuns.paused(runId, "anomaly", "continue"));
            }
            watch();
            browser.go("http://127.0.0.1:" + fixture.gateway.port() + "/");
            browser.sees("#list-needs .title", "(" + MANY + ")");
            browser.until("not counted", now -> now.getTitle().equals("(" + MANY + ") Loopkeeper"));
            browser.until(
                    "not forty rows",
                    now -> now.executeScript("return document.querySelectorAll('a.row').length === 40"));
            double more = click("#list-needs .rest button", "#list-needs tr.run:nth-child(201)");
            browser.fill("#search", "many-" + (MANY - 1));
            browser.sees("#list-needs .title", "(1)");
            print(
                    "a list of %d runs: %s; at most %d elements in one go; 200 more rows in %.0f ms; heap %.1f MiB",
                    MANY, tasks(), built(), more, heap());
        } finally {
            browser.driver.get("about:blank");
        }
    }

    @Test
    void aRunOfThousandsOfIterationsIsPictured() throws IOException, InterruptedException {
        try (GatewayFixture fixture = GatewayFixture.plain(data)) {
            ObjectNode run = TestRuns.run("long", "running");
            run.putArray("phases")
                    .addObject()
                    .put("name", "build")
                    .put("kind", "loop")
                    .put("status", "active");
            List<StoredEvent> events = new ArrayList<>();
            for (int iteration = 1; iteration <= ITERATIONS; iteration++) {
                String of = "{\"formatVersion\":1,\"phase\":\"build\",\"iteration\":" + iteration + ",\"attempt\":1";
                events.add(event(events.size() + 1, "iteration.started", of + "}"));
                events.add(event(
                        events.size() + 1,
                        "iteration.finished",
                        of + ",\"verdict\":\"PROGRESS\",\"outcome\":\"approved\",\"counts\":true,\"fingerprint\":\"f\","
                                + "\"lookBack\":3,\"optedOut\":false}"));
            }
            run.put("sequence", events.size());
            GatewayFixture.soon(fixture.bus.append(
                    new AppendEvents("long", 0, 1, events, TestRuns.row(run), Optional.empty(), Optional.empty())));
            fixture.scheduler.runs.put("long", run);
            ObjectNode steps = Json.MAPPER.createObjectNode();
            steps.putArray("steps");
            fixture.scheduler.steps.put("long", steps);
            watch();
            browser.looksLike("light", 1920, false);
            browser.go("http://127.0.0.1:" + fixture.gateway.port() + "/#/runs/long");
            browser.sees(".cells li:last-child", String.valueOf(ITERATIONS));
            browser.until(
                    "not the cells that fit into a row",
                    now -> now.executeScript("return document.querySelectorAll('.cells a').length === 35"));
            browser.click("#earlier");
            browser.until(
                    "no earlier iterations",
                    now -> now.executeScript("return document.querySelectorAll('.cells a').length === 35"
                            + " && Number(document.querySelector('.cells .number').textContent) < "
                            + (ITERATIONS - 35)));
            assertThat(browser.driver.executeScript("return new Set([...document.querySelectorAll('.cells li')]"
                            + ".map(it => Math.round(it.getBoundingClientRect().bottom))).size"))
                    .as("rows of iterations, with buttons at both ends")
                    .isEqualTo(1L);
            browser.click("#newer");
            browser.sees(".cells li:last-child", String.valueOf(ITERATIONS));
            double events100 = click(".tabs a[href$=events]", ".events td");
            print(
                    "a run of %d iterations: %s; at most %d elements in one go; its events in %.0f ms",
                    ITERATIONS, tasks(), built(), events100);
        } finally {
            browser.looksAsAlways();
            browser.driver.get("about:blank");
        }
    }

    private static StoredEvent event(long sequence, String type, String fields) throws IOException {
        JsonNode json = Json.MAPPER.readTree(fields);
        return new StoredEvent("long", sequence, TestRuns.NOW.plusSeconds(sequence), type, 1, json);
    }

    @Test
    void ofAHugeLogTheEndIsShownAtOnce() throws IOException, InterruptedException {
        Path folder = data.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(folder).with(new Gateway(GatewayOptions.loopback(0, folder)));
        try (Keeper keeper = new Keeper(folder, data.resolve("work"), options)) {
            keeper.script(
                    "huge.sh",
                    "echo begin; echo; truncate -s " + LOG_BYTES + " \"$(readlink /proc/$$/fd/1)\"\n"
                            + "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo \"line $i\"; done\necho the end");
            String runId =
                    keeper.start("{name: huge, agents: {a: {command: ./huge.sh}}, phases: [{name: a, task: a}]}");
            keeper.untilEnded(runId);
            watch();
            browser.go(keeper.url() + "/#/runs/" + runId);
            long begin = System.nanoTime();
            browser.sees("#log .line:last-child .text", "the end");
            double took = (System.nanoTime() - begin) / 1e6;
            browser.until(
                    "not a thousand lines",
                    now -> now.executeScript("return document.querySelectorAll('#log .line').length === 1000"));
            browser.click("#cut a");
            browser.sees("#log .line:first-child .text", "begin");
            print(
                    "a log of %s: its end after %.0f ms: %s; at most %d elements in one go; heap %.1f MiB",
                    LOG_BYTES, took, tasks(), built(), heap());
        } finally {
            browser.driver.get("about:blank");
        }
    }
}
