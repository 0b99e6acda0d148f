package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.RunRouting;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ContinueRuns;
import dev.loopkeeper.contract.SchedulerChannels.DropRuns;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.SharedSignalFiles;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node loses its runs and has them again, its processes gone in the meantime. */
class MovedRunTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String TWO_STEPS = """
            name: two
            agents:
              first: {command: ./first.sh, signal: .loopkeeper/first.json}
              second: {command: [sh, -c, "echo second >>launched"]}
            phases:
              - {name: one, task: first}
              - {name: two, task: second}
            """;

    @TempDir
    private Path folder;

    private final AtomicLong term = new AtomicLong(1);
    private final UnreliableStore store = new UnreliableStore();
    private Keeper keeper;

    /** It has all runs, under leases that the test ends. */
    private final Ownership lease = new Ownership() {
        @Override
        public long epoch(String runId) {
            return term.get();
        }

        @Override
        public boolean mayAct() {
            return term.get() > 0;
        }

        @Override
        public long term() {
            return term.get();
        }
    };

    @BeforeEach
    void startKeeper() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data)
                .member(Membership.of(lease, RunRouting.HERE, Duties.sole(), SharedSignalFiles.none()));
        options = options.store(store.over(OpenFolder.EMBEDDED));
        keeper = new Keeper(data, folder.resolve("workspace"), options);
    }

    @AfterEach
    void closeKeeper() {
        keeper.close();
    }

    private String startWith(String agent) throws IOException {
        keeper.script("first.sh", "echo first >>launched\n" + agent + "\nexec sleep 300\n");
        String runId = keeper.start(TWO_STEPS);
        Awaitility.await()
                .atMost(SOON)
                .until(() -> keeper.steps(runId).path(0).path("pid").asLong() > 0
                        && Files.exists(keeper.workspace().resolve("ready")));
        return runId;
    }

    /** As a warden would: the launchers end with their agents, before anybody else continues. */
    private void loseEverything(String runId) {
        ProcessHandle agent = ProcessHandle.of(
                        keeper.steps(runId).path(0).path("pid").asLong())
                .orElseThrow();
        ProcessHandle launcher = agent.parent().orElseThrow();
        Keeper.await(SchedulerChannels.DROP.ask(keeper.vertx().eventBus(), new DropRuns(), SOON));
        term.incrementAndGet();
        assertThat(agent.destroyForcibly()).isTrue();
        Awaitility.await().atMost(SOON).until(() -> !agent.isAlive() && !launcher.isAlive());
    }

    private void recover(String runId) {
        Keeper.await(SchedulerChannels.CONTINUE.ask(
                keeper.vertx().eventBus(), new ContinueRuns(List.of(runId), true), SOON));
    }

    private List<String> launched() throws IOException {
        return Files.readAllLines(keeper.workspace().resolve("launched"));
    }

    @Test
    void whatWasDroppedWritesNothingAnyMore() throws IOException {
        String runId = startWith("touch ready");
        int events = keeper.events(runId).size();
        loseEverything(runId);

        assertThat(keeper.get(runId).path("status").asText()).isEqualTo("running");
        assertThat(keeper.events(runId)).as("its agent's end is nobody's").hasSize(events);
        recover(runId);
        keeper.until(runId, "paused");
    }

    /** It is this node's in the database already: no other node would ever continue it. */
    @Test
    void aTakeoverWaitsForTheStore() throws IOException {
        String runId = startWith("touch ready");
        loseEverything(runId);
        store.away();
        Keeper.await(SchedulerChannels.CONTINUE.ask(
                keeper.vertx().eventBus(), new ContinueRuns(List.of(runId), true), SOON));
        int refused = store.refused();
        Awaitility.await().atMost(SOON).until(() -> store.refused() > refused);
        store.back();

        JsonNode run = keeper.until(runId, "paused", "completed", "failed", "stopped");
        assertThat(run.at("/pause/reason").asText()).isEqualTo("missing_signals");
        assertThat(launched()).containsExactly("first");
    }

    /** What was durable is received once more; that the agents are gone must not be forgotten by that. */
    @Test
    void aTakeoverWhoseAnswerWasLostLaunchesNothingASecondTime() throws IOException {
        String runId = startWith("touch ready");
        loseEverything(runId);
        store.losesTheAnswerTo("notice");
        Future<ContinueRuns> asked =
                SchedulerChannels.CONTINUE.ask(keeper.vertx().eventBus(), new ContinueRuns(List.of(runId), true), SOON);
        Awaitility.await().atMost(SOON).until(() -> store.hasLost("notice") && store.refused() > 0);
        store.back();

        Keeper.await(asked);
        JsonNode run = keeper.until(runId, "paused", "completed", "failed", "stopped");
        assertThat(run.at("/pause/reason").asText()).isEqualTo("missing_signals");
        assertThat(launched()).containsExactly("first");
    }

    @Test
    void aStepWhoseNodeWasLostPausesTheRunAndIsNotLaunchedAgain() throws IOException {
        String runId = startWith("touch ready");
        loseEverything(runId);
        recover(runId);

        JsonNode run = keeper.until(runId, "paused", "completed", "failed", "stopped");
        assertThat(run.at("/pause/reason").asText()).as(run.toPrettyString()).isEqualTo("missing_signals");
        assertThat(run.at("/pause/detail").asText()).isEqualTo("absent");
        assertThat(run.at("/currentStep").isMissingNode()
                        || run.at("/currentStep").isNull())
                .isTrue();
        assertThat(keeper.steps(runId).path(0).at("/result/termination").asText())
                .as("%s", keeper.steps(runId))
                .isEqualTo("error_crashed");
        assertThat(keeper.events(runId).stream()
                        .filter(event -> event.type().equals("notice"))
                        .map(event -> event.data().path("code").asText()))
                .containsExactly("taken-over");
        assertThat(launched()).containsExactly("first");
    }

    @Test
    void aSignalThatIsInTheWorkspaceCounts() throws IOException {
        String signal = "{\\\"determination\\\": \\\"SUCCESS\\\", \\\"nonce\\\": \\\"$LOOPKEEPER_NONCE\\\"}";
        String runId = startWith("echo \"" + signal + "\" >\"$LOOPKEEPER_SIGNAL_FILE\"\ntouch ready");
        loseEverything(runId);
        recover(runId);

        JsonNode run = keeper.until(runId, "paused", "completed", "failed", "stopped");
        assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("completed");
        assertThat(launched()).containsExactly("first", "second");
    }
}
