package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page for everyone: the rules of accessibility, light and dark, desktop and phone. */
class PageAccessibilityTest extends WithServer {
    @Test
    void nothingStandsInTheWayOfAnyoneInLightAndDarkOnDesktopAndPhone() throws IOException {
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
            sees("#decide", "Which database?");
            for (String seen : List.of(".why h2", "#answer-0", "#send")) {
                assertThat(browser.driver.executeScript(IN_VIEW, seen)).as(seen).isEqualTo(true);
            }
            assertThat(browser.driver.executeScript(
                            "return getComputedStyle(document.querySelector('#actions')).position"))
                    .isEqualTo("static");
            for (String hash : List.of("", "#/runs/" + runId)) {
                browser.looksLike("light", 800, false);
                open(hash);
                sees("main", "asking");
                assertThat(browser.driver.executeScript(
                                "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                        .as(hash)
                        .isEqualTo(true);
            }
            open("");
            sees("#list-needs td.why", "Which database?");
            assertThat((Long) browser.driver.executeScript("return document.querySelector('td.why').offsetWidth"))
                    .as("the reason is readable on a narrow screen")
                    .isGreaterThan(220);
        } finally {
            browser.looksAsAlways();
        }
    }
}
