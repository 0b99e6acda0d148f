package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.pool.PoolInput;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.PutPolicy;
import dev.loopkeeper.view.Pools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that share the places of a pool. */
class PoolsTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private Path workspace;
    private Keeper keeper;

    @BeforeEach
    void start() throws IOException {
        workspace = folder.resolve("work");
        keeper = new Keeper(folder.resolve("data"), workspace);
        // Lives until its file is removed, and counts the agents that live beside it.
        keeper.script("agent", """
                touch "alive.$1"; ls alive.* | wc -l >> most; echo $1 >> order
                while [ -e "hold.$1" ]; do sleep 0.05; done
                rm "alive.$1\"""");
    }

    @AfterEach
    void end() {
        keeper.close();
    }

    private void apply(String policy) throws IOException {
        Keeper.await(StoreChannels.PUT_POLICY.ask(
                keeper.vertx().eventBus(),
                new PutPolicy(Json.MAPPER.readTree(policy), OptionalLong.empty(), "a test"),
                SOON));
    }

    private String run(String name, int priority) {
        return keeper.start("""
                name: one
                priority: %d
                agents: {dev: {command: ["./agent", "%s"], pool: shared}}
                phases: [{name: work, task: dev}]
                """.formatted(priority, name));
    }

    private void hold(String name) throws IOException {
        Files.createFile(workspace.resolve("hold." + name));
    }

    private void release(String name) throws IOException {
        Files.delete(workspace.resolve("hold." + name));
    }

    private void awaitStatus(String runId, String status) {
        await().atMost(SOON).until(() -> keeper.get(runId).path("status").asText(), status::equals);
    }

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(workspace.resolve(file)).stream()
                .map(String::strip)
                .toList();
    }

    @Test
    void neverMoreAgentsLiveThanThePoolHasPlaces() throws IOException {
        apply("{\"pools\": {\"shared\": {\"places\": 2}}}");

        List<String> runs =
                IntStream.range(0, 8).mapToObj(number -> run("r" + number, 0)).toList();

        runs.forEach(runId -> awaitStatus(runId, "completed"));
        assertThat(lines("most")).allMatch(alive -> Integer.parseInt(alive) <= 2);
    }

    @Test
    void aRunWithoutAPlaceWaitsAndSaysSo() throws IOException {
        apply("{\"pools\": {\"shared\": {\"places\": 1}}}");
        hold("first");
        String first = run("first", 0);
        awaitStatus(first, "running");
        String second = run("second", 0);
        awaitStatus(second, "waiting");

        JsonNode waiting = keeper.get(second).path("waiting");
        assertThat(waiting.path("reason").asText()).isEqualTo("pool");
        assertThat(waiting.path("detail").asText()).isEqualTo("shared");
        assertThat(waiting.path("message").asText()).contains("waits for pool shared");
        assertThat(keeper.steps(second)).isEmpty();

        release("first");
        awaitStatus(second, "completed");
    }

    @Test
    void theHigherPriorityIsNextThenWhoHasWaitedLongest() throws IOException {
        apply("{\"pools\": {\"shared\": {\"places\": 1}}}");
        hold("first");
        awaitStatus(run("first", 0), "running");
        for (String name : List.of("b", "c", "d")) {
            awaitStatus(run(name, name.equals("d") ? 5 : 0), "waiting");
        }

        release("first");

        await().atMost(SOON).until(() -> lines("order").size() == 4);
        assertThat(lines("order")).containsExactly("first", "d", "b", "c");
    }

    @Test
    void stopAndPauseEndAWaitAtOnce() throws IOException {
        apply("{\"pools\": {\"shared\": {\"places\": 1}}}");
        hold("first");
        awaitStatus(run("first", 0), "running");
        String second = run("second", 0);
        String third = run("third", 0);
        awaitStatus(second, "waiting");
        awaitStatus(third, "waiting");

        assertThat(keeper.stop(second, false)
                        .document()
                        .orElseThrow()
                        .path("status")
                        .asText())
                .isEqualTo("stopped");
        assertThat(keeper.pause(third).document().orElseThrow().path("status").asText())
                .isEqualTo("paused");

        release("first");
        String fourth = run("fourth", 0);
        awaitStatus(fourth, "completed");
        assertThat(lines("order")).containsExactly("first", "fourth");
    }

    @Test
    void allRunsOfAPoolWaitForOneResetThenOneTries() throws IOException {
        apply("{\"pools\": {\"shared\": {}}}");
        keeper.script("limited", """
                echo "$1 $(date +%s%N)" >> order
                if mkdir met 2>/dev/null; then echo 'Error: 429 Too Many Requests. Please retry in 3s' >&2; exit 1; fi
                while [ -e "hold.$1" ]; do sleep 0.05; done""");
        hold("first");
        String first = limited("first");
        awaitStatus(first, "waiting");
        List<String> others = List.of(limited("a"), limited("b"));
        others.forEach(runId -> awaitStatus(runId, "waiting"));

        JsonNode waiting = keeper.get(others.get(0)).path("waiting");
        assertThat(waiting.path("reason").asText()).isEqualTo("pool");
        assertThat(waiting.path("resumeAt").asText()).isNotEmpty();
        await().atMost(SOON).until(() -> lines("order").size() == 2);
        assertThat(lines("order").get(1)).startsWith("first");
        assertThat(keeper.get(others.get(1)).path("status").asText()).isEqualTo("waiting");

        release("first");
        others.forEach(runId -> awaitStatus(runId, "completed"));
        assertThat(lines("order")).hasSize(4);
    }

    @Test
    void aClearedCoolDownEndsAlsoTheWaitOfTheRunThatMetTheLimit() throws Exception {
        apply("{\"pools\": {\"shared\": {}}}");
        keeper.script("limited", """
                if mkdir met 2>/dev/null; then echo 'Error: 429 Too Many Requests. Please retry in 3600s' >&2; exit 1; fi""");
        String first = limited("first");
        awaitStatus(first, "waiting");
        String second = limited("second");
        awaitStatus(second, "waiting");
        Pools.Entry cooling = Keeper.await(keeper.loopkeeper().pools()).pools().get(0);
        assertThat(cooling.runId()).contains(first);
        assertThat(cooling.coolUntil()).isPresent();

        Pools.Entry cleared = Keeper.await(keeper.loopkeeper().clearPool("shared"));

        assertThat(cleared.coolUntil()).isEmpty();
        awaitStatus(first, "completed");
        awaitStatus(second, "completed");
    }

    @Test
    void aClearedCoolDownLeavesARunThatAPersonHasPostponed() throws Exception {
        apply("{\"pools\": {\"shared\": {}}}");
        keeper.script("limited", "echo 'Error: 429 Too Many Requests. Please retry in 3600s' >&2; exit 1");
        String first = limited("first");
        awaitStatus(first, "waiting");
        Keeper.await(keeper.loopkeeper().pause(first, "later"));
        awaitStatus(first, "paused");
        Instant at = Instant.now().plusSeconds(7200);
        Keeper.await(keeper.loopkeeper().resume(first, ResumeRequest.PLAIN.with(copy -> copy.at(Optional.of(at)))));

        Pools.Entry cleared = Keeper.await(keeper.loopkeeper().clearPool("shared"));

        assertThat(cleared.coolUntil()).isEmpty();
        assertThat(keeper.get(first).path("status").asText()).isEqualTo("paused");
        assertThat(Instant.parse(keeper.get(first).path("resumeAt").asText())).isEqualTo(at);
    }

    private String limited(String name) {
        return keeper.start("""
                name: limited
                retry: {backoff: {initial: 1s, max: 1s, jitter: 0}}
                agents: {dev: {command: ["./limited", "%s"], pool: shared}}
                phases: [{name: work, task: dev}]
                """.formatted(name));
    }

    @Test
    void aPlaceThatACrashLeftToAnEndedRunIsTakenBack() throws IOException {
        apply("{\"pools\": {\"shared\": {\"places\": 1}}}");
        String first = run("first", 0);
        awaitStatus(first, "completed");
        await().atMost(SOON).until(() -> Keeper.await(keeper.store().pools()).isEmpty());
        Keeper.await(keeper.store()
                .changePool(
                        "shared",
                        List.of(new PoolInput.Claims(Instant.now(), first, 0, Set.of("task/work///0"), Set.of())),
                        OptionalInt.of(1)));

        awaitStatus(run("second", 0), "completed");
    }

    @Test
    void aRestartKeepsTheOrderOfWaiting() throws IOException {
        apply("{\"pools\": {\"shared\": {\"places\": 1}}}");
        hold("first");
        awaitStatus(run("first", 0), "running");
        String second = run("second", 0);
        awaitStatus(second, "waiting");
        String third = run("third", 0);
        awaitStatus(third, "waiting");
        keeper.close();

        keeper = new Keeper(folder.resolve("data"), workspace);
        assertThat(lines("order")).containsExactly("first");
        release("first");

        awaitStatus(third, "completed");
        assertThat(lines("order")).endsWith("second", "third");
        assertThat(lines("most")).containsOnly("1");
    }

    @Test
    void aPoolThatGoesLetsItsRunsContinue() throws IOException {
        apply("{\"pools\": {\"shared\": {\"places\": 1}}}");
        hold("first");
        awaitStatus(run("first", 0), "running");
        String second = run("second", 0);
        awaitStatus(second, "waiting");

        apply("{}");

        awaitStatus(second, "completed");
        release("first");
    }

    @Test
    void morePlacesLetRunsContinue() throws IOException {
        apply("{\"pools\": {\"shared\": {\"places\": 1}}}");
        hold("first");
        awaitStatus(run("first", 0), "running");
        String second = run("second", 0);
        awaitStatus(second, "waiting");

        apply("{\"pools\": {\"shared\": {\"places\": 2}}}");

        awaitStatus(second, "completed");
        release("first");
    }
}
