package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The page shows what holds across runs, ends a cool-down and fires a schedule. */
class PagePolicyTest extends WithServer {
    @AfterEach
    void removePolicy() {
        apply("{}");
    }

    private static void apply(String policy) {
        assertThat(api.ask(HttpMethod.PUT, "/policy", Map.of(), policy).status())
                .isEqualTo(200);
    }

    @Test
    void aServerWithoutAPolicySaysSo() {
        open("#/policy");
        sees("main", "This server has no pools, caps or schedules.");
        sees("main", "loopkeeper apply FILE");
    }

    @Test
    void aPoolShowsItsPlacesAndItsCoolDownEndsByHand() throws IOException {
        apply("{\"pools\": {\"shared\": {\"places\": 2}}}");
        keeper.script(
                "limited",
                "if mkdir met 2>/dev/null; then echo 'Error: 429 Too Many Requests. Please retry in 3600s' >&2; exit 1; fi");
        String met = keeper.start(
                "{name: met, agents: {dev: {command: [./limited], pool: shared}}, retry: {backoff: {initial: 1s, max: 1s}},"
                        + " phases: [{name: work, task: dev}]}");
        becomes(met, "waiting");

        open("");
        sees("#list-going", "met");
        browser.press("go");

        sees("#pools", "shared");
        sees("#pools", "0 of 2");
        sees("#pools .message", "until");
        sees("#pools .message", met);
        browser.click("#pools .clear");
        sees("dialog", "loopkeeper pools clear shared");
        browser.click("#confirm");
        becomes(met, "completed");
        browser.seesNo("#pools .clear");
    }

    @Test
    void aCapShowsWhatIsLeftAndUntilWhen() throws IOException {
        apply("{\"caps\": [{\"name\": \"night\", \"costUsd\": 2, \"tokens\": 5000000, \"per\": \"day\"}]}");
        keeper.script("paid", "echo '{\"determination\": \"SUCCESS\", \"usage\": {\"costUsd\": 0.5}}' > paid.json");
        keeper.untilEnded(keeper.start("{name: paid, agents: {dev: {command: [./paid], signal: paid.json}},"
                + " phases: [{name: build, loop: {maxIterations: 2, steps: [dev]}}]}"));

        open("#/policy");

        sees("#caps", "night");
        sees("#caps", "$1.50 of $2.00 left");
        sees("#caps", "5.0M tokens of 5.0M tokens left");
        sees("#caps", ", in ");
    }

    @Test
    void aFailedFireNeedsAPersonUntilALaterOneWorks() throws IOException {
        Path manifest = folder.resolve("nightly.yaml");
        apply(
                "{\"schedules\": [{\"name\": \"nightly\", \"cron\": \"0 2 * * *\", \"zone\": \"Europe/Berlin\", \"manifest\": \""
                        + manifest + "\", \"workspace\": \"" + keeper.workspace()
                        + "\"}, {\"name\": \"weekly\", \"cron\": \"@weekly\","
                        + " \"manifest\": \"" + manifest + "\"}]}");
        api.post("/schedules/nightly/fire", "{}");

        open("");
        sees("#list-needs h2", "Needs attention (1)");
        sees("#list-needs", "failed fire");
        assertThat(browser.driver.getTitle()).startsWith("(1)");
        browser.press("j");
        browser.focused("a.row[href='#/policy/nightly']");
        browser.press(Keys.ENTER);

        sees("#schedules", "0 2 * * * Europe/Berlin");
        sees("#fires h2", "Fires of nightly");
        sees("#fires tbody", "failed");
        browser.click("a.row[href='#/policy/weekly']");
        sees("#fires", "This schedule has never fired.");
        browser.click("a.row[href='#/policy/nightly']");
        sees("#attention", manifest.toString());

        Files.writeString(manifest, "{name: fired, agents: {a: {command: [\"true\"]}}, phases: [{name: a, task: a}]}");
        browser.click("#schedules .fire");
        sees("dialog", "loopkeeper schedules run nightly");
        browser.click("#confirm");
        sees("#done", "nightly: started");
        sees("#fires tbody", "started");
        browser.seesNo("#attention");
        open("");
        sees("#list-ended", "fired");
        browser.seesNo("#list-needs");
    }

    @Test
    void aPhoneShowsAllOfIt() {
        apply(
                "{\"pools\": {\"claude-max\": {\"places\": 3}}, \"caps\": [{\"name\": \"a-cap-of-the-night\", \"costUsd\": 40, \"per\": \"month\"}],"
                        + " \"schedules\": [{\"name\": \"every-night-in-berlin\", \"cron\": \"0 2 * * 1-5\", \"zone\": \"Europe/Berlin\","
                        + " \"manifest\": \"/srv/projects/long/path/loopkeeper.yaml\"}]}");
        api.post("/schedules/every-night-in-berlin/fire", "{}");
        try {
            browser.looksLike("light", 390, true);
            open("#/policy");
            sees("#fires tbody", "failed");
            assertThat(browser.driver.executeScript("return document.documentElement.scrollWidth"))
                    .isEqualTo(390L);
            browser.bringAxe();
            assertThat(browser.violations("{}")).isEmpty();
            browser.looksLike("dark", 1280, false);
            assertThat(browser.violations("{}")).isEmpty();
        } finally {
            browser.looksAsAlways();
        }
    }
}
