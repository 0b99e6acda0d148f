package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.ElementNotInteractableException;
import org.openqa.selenium.JavascriptException;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A Chromium without a window, driven by what a person does; every wait is for something on the page. */
final class Browser implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final List<String> PROGRAMS = List.of("chromium", "chromium-browser", "google-chrome");

    /** Answers within a second, so that a page that is left in between is noticed. */
    private static final String AWAITS = """
            const given = [...arguments];
            const done = given.pop();
            let looks = 50;
            const look = () => (%s) ? done(true) : looks-- ? setTimeout(look, 20) : done(false);
            look();
            """;

    private final Path folder;
    private final ChromeDriverService service;
    final ChromeDriver driver;

    private Browser(Path program, Path driverProgram) throws IOException {
        folder = Files.createTempDirectory("browser");
        service = new ChromeDriverService.Builder()
                .usingDriverExecutable(driverProgram.toFile())
                .usingAnyFreePort()
                // It must find no settings of the user that runs the tests, and leave nothing behind.
                .withEnvironment(Map.of(
                        "HOME", folder.toString(),
                        "TMPDIR", folder.toString(),
                        "XDG_CONFIG_HOME", folder.toString(),
                        "XDG_CACHE_HOME", folder.toString(),
                        "LANG", "C.UTF-8"))
                .build();
        service.sendOutputTo(OutputStream.nullOutputStream());
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--no-proxy-server",
                // All pages are of one server: one process for them, and none kept ready for the next or the last one.
                "--process-per-site",
                "--disable-site-isolation-trials",
                "--disable-back-forward-cache",
                "--disable-features=SpareRendererForSitePerProcess",
                "--window-size=1280,900",
                "--user-data-dir=" + folder.resolve("profile"));
        ChromeDriver started;
        try {
            started = new ChromeDriver(service, options);
        } catch (RuntimeException refused) {
            clearAway();
            throw refused;
        }
        driver = started;
        driver.manage().timeouts().scriptTimeout(SOON).pageLoadTimeout(SOON);
    }

    /** Where there is none the test is skipped, but not where CI says that it must run. */
    static Browser open() throws IOException {
        Optional<Path> program =
                PROGRAMS.stream().flatMap(name -> onPath(name).stream()).findFirst();
        Optional<Path> driver = onPath("chromedriver");
        boolean there = program.isPresent() && driver.isPresent();
        if (!there && "true".equals(System.getenv("CI"))) {
            throw new AssertionError("the dashboard's tests need chromium and chromedriver on the PATH");
        }
        Assumptions.assumeTrue(there, "skipped: no chromium and chromedriver on the PATH");
        return new Browser(program.orElseThrow(), driver.orElseThrow());
    }

    private static Optional<Path> onPath(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .map(place -> Path.of(place, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** A page as if it was opened in a new window. */
    void go(String url) {
        driver.get("about:blank");
        driver.get(url);
    }

    /** Closes the page, and so its connections to the server, and forgets what it kept. */
    void leave() {
        driver.executeScript("try { localStorage.clear(); } catch (refused) { }");
        driver.get("about:blank");
    }

    /** Waits until the look answers something else than null and false. */
    void until(String what, Function<ChromeDriver, Object> look) {
        Object found = new WebDriverWait(driver, SOON, LOOK)
                .ignoring(StaleElementReferenceException.class)
                .ignoring(ElementNotInteractableException.class)
                .ignoring(JavascriptException.class)
                .withMessage(() -> what + "; the page shows: " + text())
                .until(some -> look.apply(driver));
        assertThat(found).isNotNull();
    }

    /** Waits on the page itself, without asking the browser again and again, until this JavaScript holds. */
    private void awaits(String what, String condition, Object... given) {
        until(what, now -> now.executeAsyncScript(AWAITS.formatted(condition), given));
    }

    /** Waits until an element's text has this in it; what is not rendered has none. */
    void sees(String selector, String text) {
        awaits(
                "no '" + text + "' in " + selector,
                "[...document.querySelectorAll(given[0])].some(each => each.checkVisibility({visibilityProperty: true})"
                        + " && each.innerText.replace(/[^\\S\\n]+/g, ' ').includes(given[1]))",
                selector,
                text);
    }

    void seesNo(String selector) {
        awaits("still there: " + selector, "!document.querySelector(given[0])", selector);
    }

    /** In one step on the page: between finding a row and clicking it, rows may move. */
    void click(String selector) {
        awaits(
                "cannot click " + selector,
                "(found => found && !found.disabled && found.ariaDisabled !== 'true' && (found.click(), true))"
                        + "(document.querySelector(given[0]))",
                selector);
    }

    void fill(String selector, String text) {
        until("cannot fill " + selector, now -> {
            WebElement field = driver.findElement(By.cssSelector(selector));
            field.clear();
            field.sendKeys(text);
            return text.equals(field.getDomProperty("value"));
        });
    }

    /** To whatever has the focus. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** A key while another one is held down. */
    void pressWith(Keys held, Keys key) {
        new Actions(driver).keyDown(held).sendKeys(key).keyUp(held).perform();
    }

    void focused(String selector) {
        awaits("the focus is not on " + selector, "document.activeElement.matches(given[0])", selector);
    }

    String text() {
        return driver.findElement(By.tagName("body")).getText();
    }

    /** What a function of a module of the page answers, as JSON; {@code body} has the module as {@code it}. */
    String ofModule(String name, String body) {
        String script = "const done = arguments[0];"
                + "const base = document.querySelector('script[type=module]').src.replace('app.js', '');"
                + "import(base + '" + name + "').then(async it => done(JSON.stringify(await (async () => {" + body
                + "})()))).catch(failed => done('failed: ' + failed + failed.stack));";
        return String.valueOf(driver.executeAsyncScript(script));
    }

    /** Light or dark, desktop or phone. */
    void looksLike(String scheme, int width, boolean phone) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", phone));
    }

    void looksAsAlways() {
        driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
    }

    /** Puts axe-core into this page, for {@link #violations}. */
    void bringAxe() {
        driver.executeScript(axe());
    }

    /**
     * What axe-core finds against the rules of accessibility, e.g. {@code color-contrast: #age}.
     *
     * @param options of its run, e.g. {@code {runOnly: ['color-contrast']}}
     */
    List<String> violations(String options) {
        Object found = driver.executeAsyncScript("const done = arguments[0];"
                + "axe.run(document, {resultTypes: ['violations'], ..." + options
                + "}).then(it => done(it.violations.flatMap(each =>"
                + " each.nodes.map(node => each.id + ': ' + node.target + ' ' + node.failureSummary))))"
                + ".catch(failed => done(['failed: ' + failed]));");
        return ((List<?>) found).stream().map(String::valueOf).toList();
    }

    private static String axe() {
        try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
            assertThat(script).as("axe.min.js on the class path").isNotNull();
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void close() {
        try {
            driver.quit();
        } finally {
            clearAway();
        }
    }

    /** Also where the browser did not start, or did not end. */
    private void clearAway() {
        service.stop();
        ProcessHandle.current()
                .descendants()
                .filter(child -> child.info().commandLine().orElse("").contains(folder.toString()))
                .forEach(ProcessHandle::destroyForcibly);
        await().ignoreExceptions().until(() -> {
            delete();
            return true;
        });
    }

    private void delete() throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
