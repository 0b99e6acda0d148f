package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.SmallRepository;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** Tests of the dashboard of one real server with real agents; each test begins without a run. */
abstract class WithServer extends WithBrowser {
    @TempDir
    static Path folder;

    static Keeper keeper;
    static WebApi api;

    @BeforeAll
    static void serve() throws IOException {
        keeper = serve(folder, 0, options -> options);
        api = WebApi.of(keeper);
    }

    /** A server of its own, whose agents work in a repository of git. */
    static Keeper serve(Path folder, int port, UnaryOperator<GatewayOptions> change) throws IOException {
        Path data = folder.resolve("data");
        Path work = folder.resolve("work");
        return new Keeper(
                data,
                Files.exists(work) ? work : SmallRepository.in(work).folder(),
                LoopkeeperOptions.of(data).with(new Gateway(change.apply(GatewayOptions.loopback(port, data)))));
    }

    @AfterAll
    static void close() {
        keeper.close();
    }

    /** A server costs more than all that a test does with it. */
    @AfterEach
    void removeRuns() {
        browser.leave();
        for (JsonNode run : api.get("/runs?limit=1000").body().path("runs")) {
            if (run.path("endedAt").isNull()) {
                api.post("/runs/" + run.path("runId").asText() + "/stop?wait=30s", "{}");
            }
        }
        // A run that has ended in this millisecond is not yet old enough.
        await().untilAsserted(() -> {
            JsonNode pruned =
                    api.post("/runs/prune", "{\"keep\": 0, \"dryRun\": false}").body();
            assertThat(api.get("/runs").body().path("runs"))
                    .as(pruned.toString())
                    .isEmpty();
        });
    }

    /** A run of one step. */
    static String task(String name, String command) {
        return keeper.start("{name: " + name + ", agents: {a: {command: [sh, -c, \"" + command
                + "\"]}}, phases: [{name: a, task: a}]}");
    }

    /** A run of this agent in a loop; the script is run by sh. */
    static String start(String name, String script, String more) throws IOException {
        return start(keeper, name, script, more);
    }

    static String start(Keeper keeper, String name, String script, String more) throws IOException {
        keeper.script(name + ".sh", script);
        return keeper.start("{name: " + name + ", agents: {dev: {command: ./" + name + ".sh, signal: " + name
                + ".json}}, phases: [{name: build, loop: {maxIterations: 9, noProgress: 0, steps: [dev]}}]" + more
                + "}");
    }

    /** A run that succeeds at once. */
    static void completes(String name) {
        keeper.untilEnded(task(name, "exit 0"));
    }

    /** Asks two questions and is done when it is answered; prints what it received. */
    static String startAsking() throws IOException {
        return startAsking(keeper);
    }

    static String startAsking(Keeper keeper) throws IOException {
        return startAsking(keeper, "");
    }

    static String startAsking(Keeper keeper, String more) throws IOException {
        String runId = start(
                keeper,
                "asking",
                "if [ -z \"$LOOPKEEPER_FEEDBACK\" ]; then echo asking\n"
                        + "echo '{\"status\": \"completed\", \"userInputNeeded\": true, \"questions\":"
                        + " [\"Which database?\", \"May the API change?\"]}' > asking.json\n"
                        + "else echo \"$LOOPKEEPER_FEEDBACK\"; echo '{\"determination\": \"SUCCESS\"}' > asking.json; fi",
                more);
        keeper.until(runId, "paused");
        return runId;
    }

    /** Two items that depend on each other; the first is rejected once. Each attempt costs 0.5. */
    static String startItems() throws IOException {
        keeper.script(
                "each.sh",
                "[ $LOOPKEEPER_ITEM$LOOPKEEPER_ATTEMPT = first1 ] && said=rejected || said=approved\n"
                        + "echo '{\"verdict\": \"'$said'\", \"keyConcern\": \"the sky is green\", \"usage\": {\"costUsd\": 0.5}}' > each.json");
        return keeper.start(
                "{name: items, agents: {i: {command: ./each.sh, signal: each.json}}, budget: {costUsd: 9},"
                        + " phases: [{name: frames, each: {items: [{id: second, dependsOn: [first]}, {id: first}], steps: [i]}}]}");
    }

    static void becomes(String runId, String status) {
        assertThat(keeper.until(runId, status).path("runId").asText()).isEqualTo(runId);
    }

    static void open(String hash) {
        browser.go(keeper.url() + "/" + hash);
    }

    static void sees(String selector, String text) {
        browser.sees(selector, text);
    }

    static String shown(String selector) {
        return browser.driver.findElement(By.cssSelector(selector)).getText();
    }

    /** What a page runs before its own scripts, for as long as {@code work} takes. */
    static void with(String script, Runnable work) {
        Map<String, Object> added =
                browser.driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
        try {
            work.run();
        } finally {
            browser.driver.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", added);
        }
    }
}
