package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Screen;
import dev.loopkeeper.cli.session.FakeKeeper;
import dev.loopkeeper.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunsCommandTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private FakeKeeper keeper;

    @BeforeEach
    void open() {
        keeper = new FakeKeeper(folder.resolve("data"));
    }

    @AfterEach
    void close() {
        keeper.close();
    }

    private CompletableFuture<Integer> typing(int columns, String... words) {
        PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
        Optional<Screen> screen = columns == 0 ? Optional.empty() : Optional.of(Screen.of(columns, 24));
        Map<String, String> environment = Map.of(
                "PATH",
                System.getenv("PATH"),
                "LOOPKEEPER_LOG_LEVEL",
                "WARN",
                "LOOPKEEPER_DATA",
                "" + folder.resolve("data"));
        Console console = new Console(out, out, environment, screen, columns > 0, "loopkeeper", Optional.empty());
        return CompletableFuture.supplyAsync(() -> new CommandRunner(console, EmbeddedRoot::start).run(words));
    }

    /** Before, it said that there are none. */
    @Test
    void aFolderOfANodeThatDoesNotServeIsNotSaidToHaveNoRuns() throws Exception {
        Path node = folder.resolve("node");
        Files.createDirectories(node.resolve("cluster"));

        assertThat(typing(0, "runs", "--data", node.toString()).get(1, TimeUnit.MINUTES))
                .isEqualTo(7);
        prints(node + " is the data folder of a cluster node: its runs are in the database of the cluster.");
    }

    private void prints(String text) {
        Awaitility.await().until(() -> written.toString(StandardCharsets.UTF_8).contains(text));
    }

    private void pauses(String runId) {
        keeper.happens(
                keeper.paused(runId),
                "notice",
                Json.MAPPER.createObjectNode().put("code", "x").put("message", "x"));
    }

    private void ends(CompletableFuture<Integer> watching) throws Exception {
        keeper.close();
        assertThat(watching.get(60, TimeUnit.SECONDS)).isEqualTo(7);
        keeper = new FakeKeeper(folder.resolve("data"));
    }

    @Test
    void whatChangesIsPrintedOnceElsewhereThanOnATerminal() throws Exception {
        keeper.put("one", "running");
        keeper.put("two", "running");
        var watching = typing(0, "runs", "--watch");
        prints("one  running");
        pauses("one");
        prints("signal missing or invalid (absent): no signal was left");
        ends(watching);
        assertThat(written.toString(StandardCharsets.UTF_8))
                .contains("two  running")
                .doesNotContain("\u001b");
    }

    @Test
    void onATerminalTheTableIsPaintedAgain() throws Exception {
        keeper.put("one", "running");
        keeper.put("two", "running");
        var watching = typing(80, "runs", "--watch");
        prints("> running");
        pauses("one");
        prints("? paused");
        ends(watching);
        assertThat(written.toString(StandardCharsets.UTF_8))
                .containsSubsequence("two", "one", "\u001b[3A\r\u001b[J", "one", "two");
    }

    @Test
    void watchedRunsAreNotForPrograms() throws Exception {
        assertThat(typing(0, "runs", "--watch", "--json").get(60, TimeUnit.SECONDS))
                .isEqualTo(2);
        prints("loopkeeper watch --json");
    }

    @Test
    void aScheduleWhoseNewestFireFailedIsShownAboveTheRuns() throws Exception {
        Path policy = Files.writeString(
                folder.resolve("policy.yaml"), "schedules: [{name: nightly, cron: '0 2 * * *', manifest: /m.yaml}]");
        assertThat(typing(0, "apply", policy.toString()).get(60, TimeUnit.SECONDS))
                .isZero();
        keeper.fails("nightly", "m.yaml:2: unknown key");
        keeper.put("one", "running");

        assertThat(typing(0, "runs").get(60, TimeUnit.SECONDS)).isZero();

        prints("schedule nightly did not fire: m.yaml:2: unknown key; after the correction fire it with: "
                + "loopkeeper schedules run nightly");
        written.reset();
        assertThat(typing(0, "runs", "--json").get(60, TimeUnit.SECONDS)).isZero();
        assertThat(Json.MAPPER
                        .readTree(written.toString(StandardCharsets.UTF_8))
                        .path("schedules"))
                .hasToString("[{\"name\":\"nightly\",\"attention\":\"m.yaml:2: unknown key\"}]");
    }

    @Test
    void aRunThatWaitsForAPoolSaysItsPosition() throws Exception {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), "pools: {few: {places: 1}}");
        assertThat(typing(0, "apply", policy.toString()).get(60, TimeUnit.SECONDS))
                .isZero();
        keeper.queue("few", "first", "second");
        for (String runId : List.of("first", "second")) {
            ObjectNode waiting = keeper.put(runId, "waiting").putObject("waiting");
            waiting.put("reason", "pool")
                    .put("detail", "few")
                    .put("message", "waits for pool few, all its places are in use");
        }

        assertThat(typing(0, "runs").get(60, TimeUnit.SECONDS)).isZero();
        prints("waits for pool few, all its places are in use, next; more places by loopkeeper apply");
        prints("all its places are in use, 1 before it; more places");
        written.reset();
        assertThat(typing(0, "explain", "second").get(60, TimeUnit.SECONDS)).isZero();
        prints("all its places are in use, 1 before it; more places by loopkeeper apply");

        keeper.put("first", "waiting")
                .putObject("waiting")
                .put("reason", "pool")
                .put("detail", "few")
                .put("message", "waits for pool few: session limit reached");
        assertThat(typing(0, "explain", "first").get(60, TimeUnit.SECONDS)).isZero();
        prints("session limit reached, next; loopkeeper pools clear few ends the cool-down");
    }
}
