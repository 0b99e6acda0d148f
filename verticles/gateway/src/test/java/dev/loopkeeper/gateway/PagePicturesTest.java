package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.openqa.selenium.OutputType;

/** Makes the pictures of the documentation, with {@code -Dloopkeeper.pictures=docs/images} as an absolute path. */
@EnabledIfSystemProperty(named = "loopkeeper.pictures", matches = "/.+")
class PagePicturesTest {
    private static final String LOOP = "case $LOOPKEEPER_ITERATION in %s esac\n"
            + "echo \"reading the tests\"; echo \"make test\"; echo \"%s\"\n"
            + "echo \"{\\\"determination\\\": \\\"$said\\\", \\\"usage\\\": {\\\"costUsd\\\": 0.${LOOPKEEPER_ITERATION}%s},"
            + " \\\"keyConcern\\\": \\\"%s\\\"%s}\" > %s.json\n";

    /** Rows of a picture that the page's bar takes, whatever stands below it. */
    private static final int BAR = 110;

    private static final double LEAST_DRAWN = 0.25;

    @TempDir
    Path folder;

    /** Its path is to be seen. */
    @TempDir(factory = Project.class)
    Path project;

    private static final class Project implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext field, ExtensionContext test) throws IOException {
            return Files.createDirectory(Path.of(System.getProperty("java.io.tmpdir"), "shop"));
        }
    }

    private Keeper keeper;
    private Browser browser;

    private String loop(String name, String cases, String says, String concern, String more) throws IOException {
        keeper.script(name + ".sh", LOOP.formatted(cases, says, "3", concern, more, name));
        return keeper.start("{name: " + name + ", budget: {costUsd: 5}, agents: {dev: {command: ./" + name
                + ".sh, signal: " + name + ".json}}, phases: [{name: build, loop: {maxIterations: 20, noProgress: 0,"
                + " steps: [dev]}}, {name: verify, gate: dev}]}");
    }

    private void picture(String name) throws IOException {
        byte[] bytes = browser.driver.getScreenshotAs(OutputType.BYTES);
        assertThat(drawn(bytes)).as("rows of %s that are not empty", name).isGreaterThan(LEAST_DRAWN);
        Path file = Path.of(System.getProperty("loopkeeper.pictures"), name + ".png");
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    /** The share of the rows below the bar in which something else than background is to be seen. */
    private static double drawn(byte... png) throws IOException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
        int drawn = 0;
        for (int y = BAR; y < image.getHeight(); y++) {
            int first = image.getRGB(0, y);
            int row = y;
            drawn += IntStream.range(1, image.getWidth()).anyMatch(x -> image.getRGB(x, row) != first) ? 1 : 0;
        }
        return (double) drawn / (image.getHeight() - BAR);
    }

    private void open(String hash, String selector, String text) {
        browser.go(keeper.url() + "/" + hash);
        browser.sees(selector, text);
    }

    @Test
    void mainViews() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        try (Keeper started = new Keeper(data, project, options);
                Browser opened = Browser.open()) {
            keeper = started;
            browser = opened;
            browser.looksLike("light", 1120, false);
            String asks = loop(
                    "add-search",
                    "1|2) said=PROGRESS;; 3) said=MILESTONE_SUCCESS;; 4) said=STALLED;; *) said=PROGRESS; ask=1;;",
                    "3 failed, 40 passed",
                    "the index has two writers",
                    "${ask:+, \\\"userInputNeeded\\\": true, \\\"questions\\\": [\\\"Which database: PostgreSQL or"
                            + " SQLite?\\\", \\\"May the public API change?\\\"]}");
            keeper.until(asks, "paused");
            String odd = loop(
                    "fix-flaky-tests",
                    "1|2|3) said=PROGRESS;; *) said=ANOMALY;;",
                    "2 tests were deleted",
                    "tests were deleted in test_auth.py",
                    "");
            keeper.until(odd, "paused");
            for (int round = 0; round < 3; round++) {
                keeper.untilEnded(
                        keeper.start("{name: lint, agents: {a: {command: echo ok}}, phases: [{name: a, task: a}]}"));
            }
            keeper.script(
                    "frames.sh",
                    "[ $LOOPKEEPER_ATTEMPT = 1 ] && [ $LOOPKEEPER_ITEM != f3 ] && said=rejected || said=approved\n"
                            + "[ $LOOPKEEPER_ITEM = f5 ] && sleep 600\n"
                            + "echo \"{\\\"verdict\\\": \\\"$said\\\", \\\"keyConcern\\\": \\\"the sky is green\\\","
                            + " \\\"usage\\\": {\\\"costUsd\\\": 0.2}}\" > frames.json");
            String items = keeper.start("{name: frames, budget: {costUsd: 4}, agents: {audit: {command: ./frames.sh,"
                    + " signal: frames.json}}, retry: {stopConditions: {maxRetryRate: 0, maxRejectRate: 0,"
                    + " maxConsecutiveFails: 0}}, phases: [{name: frames, each: {items: [{id: f1}, {id: f2, dependsOn:"
                    + " [f1]}, {id: f3}, {id: f4, dependsOn: [f2, f3]}, {id: f5}, {id: f6, dependsOn: [f5]}],"
                    + " steps: [audit]}}]}");
            open("#/runs/" + items + "/items", ".items tbody tr:nth-child(5)", "running");
            picture("items");
            open("", "#list-needs .tiny", "P");
            browser.sees("#list-going .step", "audit");
            picture("runs");
            open("#/runs/" + asks, "#decide", "May the public API change?");
            picture("run");
            open("#/runs/" + asks + "/cost", "#forecast", "At this rate");
            browser.driver.executeScript("document.querySelector('.tabs').scrollIntoView()");
            picture("cost");
            browser.looksLike("dark", 390, true);
            open("", "#list-needs .tiny", "P");
            picture("phone");
        }
    }
}
