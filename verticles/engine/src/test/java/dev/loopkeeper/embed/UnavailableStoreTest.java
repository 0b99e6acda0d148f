package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The store cannot be reached for a while in the middle of a run: unlike a full or damaged one it is waited for. */
@Execution(ExecutionMode.CONCURRENT)
class UnavailableStoreTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    /** So often the scheduler has come back for it. */
    private static final int SEVERAL = 3;

    private static final String TWO_STEPS = """
            name: two
            agents:
              first: {command: [sh, -c, "until [ -e go ]; do sleep 0.1; done; echo 1 >> launched"]}
              second: {command: [sh, -c, "echo 2 >> launched"]}
            phases:
              - {name: one, task: first}
              - {name: two, task: second}
            """;

    @TempDir
    private Path folder;

    private final UnreliableStore store = new UnreliableStore();
    private Keeper keeper;
    private Optional<ProcessHandle> agent = Optional.empty();
    private Optional<ProcessHandle> launcher = Optional.empty();

    @BeforeEach
    void startKeeper() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).store(store.over(OpenFolder.EMBEDDED));
        keeper = new Keeper(data, folder.resolve("workspace"), options);
    }

    @AfterEach
    void closeKeeper() {
        store.back();
        keeper.close();
        // It outlives its runtime, but not its test; nor does its launcher, which notes the end in the test's folder.
        agent.ifPresent(ProcessHandle::destroyForcibly);
        Awaitility.await()
                .atMost(SOON)
                .until(() ->
                        Stream.of(agent, launcher).flatMap(Optional::stream).noneMatch(ProcessHandle::isAlive));
    }

    private Path launched() {
        return keeper.workspace().resolve("launched");
    }

    private void letTheFirstStepEnd() throws IOException {
        Files.createFile(keeper.workspace().resolve("go"));
    }

    @CanIgnoreReturnValue
    private ProcessHandle firstAgent(String runId) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> keeper.steps(runId).path(0).path("pid").asLong() > 0);
        agent = ProcessHandle.of(keeper.steps(runId).path(0).path("pid").asLong());
        launcher = agent.flatMap(ProcessHandle::parent);
        return agent.orElseThrow();
    }

    private void awaitRefusals(int more) {
        int before = store.refused();
        Awaitility.await().atMost(SOON).until(() -> store.refused() >= before + more);
    }

    private void assertCompletedOnce(String runId) throws IOException {
        JsonNode run = keeper.until(runId, "completed", "failed", "stopped");
        assertThat(run.path("status").asText()).as("%s", run).isEqualTo("completed");
        assertThat(Files.readAllLines(launched())).containsExactly("1", "2");
        List<StoredEvent> events = keeper.events(runId);
        assertThat(events.stream().map(StoredEvent::sequence))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, events.size()).boxed().toList());
        assertThat(events.stream().filter(event -> event.type().equals("step.started")))
                .hasSize(2);
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(keeper.published(runId).stream().map(StoredEvent::sequence))
                        .containsExactlyElementsOf(
                                events.stream().map(StoredEvent::sequence).toList()));
    }

    /** It ended with error_infrastructure, as on a full disk: a restart of a database ended every run. */
    @Test
    void aRunLaunchesNothingUntilTheStoreIsBack() throws IOException {
        String runId = keeper.start(TWO_STEPS);
        ProcessHandle agent = firstAgent(runId);
        store.away();
        assertThat(keeper.pause(runId).refusal().map(Refusal::code)).contains(RefusalCode.STORE_UNAVAILABLE);
        assertThat(agent.isAlive()).isTrue();
        letTheFirstStepEnd();
        Awaitility.await().atMost(SOON).until(() -> !agent.isAlive());
        awaitRefusals(SEVERAL);

        assertThat(Files.readAllLines(launched())).containsExactly("1");
        assertThat(keeper.get(runId).path("status").asText()).isEqualTo("running");
        store.back();

        assertCompletedOnce(runId);
    }

    @Test
    void requestsReportThatTheStoreIsUnavailable() {
        String runId = keeper.start(TWO_STEPS);
        firstAgent(runId);
        store.away();

        Refusal refused = keeper.pause(runId).refusal().orElseThrow();

        assertThat(refused.code()).isEqualTo(RefusalCode.STORE_UNAVAILABLE);
        assertThat(refused.message())
                .contains("nothing is launched until the store answers", "no connection to the database");
    }

    @Test
    void anAppendWithALostAnswerIsPublishedOnce() throws IOException {
        store.losesTheAnswerTo("step.finished");
        String runId = keeper.start(TWO_STEPS);
        firstAgent(runId);
        letTheFirstStepEnd();
        Awaitility.await().atMost(SOON).until(() -> store.hasLost("step.finished"));
        awaitRefusals(SEVERAL);
        store.back();

        assertCompletedOnce(runId);
    }

    /** Who had submitted it was informed that nothing was done, and until the next restart nothing was. */
    @Test
    void aRunContinuesOnceItsCreationIsConfirmed() throws IOException {
        store.losesTheAnswerTo("run.created");
        letTheFirstStepEnd();

        RunRefusedException refused = refusal();
        store.back();

        assertThat(refused.code()).isEqualTo(RefusalCode.STORE_UNAVAILABLE);
        assertCompletedOnce("fresh");
    }

    /** The read loaded the run, which then was taken for one that is under way, and nothing was launched. */
    @Test
    void aReadBeforeTheCreationIsConfirmedDoesNotKeepTheRunFromContinuing() throws IOException {
        store.losesTheAnswerTo("run.created");
        letTheFirstStepEnd();

        RunRefusedException refused = refusal();
        store.back();

        assertThat(refused.code()).isEqualTo(RefusalCode.STORE_UNAVAILABLE);
        assertThat(Keeper.await(keeper.loopkeeper().explain("fresh"))).isNotNull();
        assertCompletedOnce("fresh");
    }

    private RunRefusedException refusal() {
        RunOptions options = RunOptions.DEFAULTS.workspace(keeper.workspace()).runId("fresh");
        Throwable cause = Keeper.await(keeper.loopkeeper()
                .submit(TWO_STEPS, options)
                .<Throwable>map(made -> new AssertionError("made: " + made))
                .recover(Future::succeededFuture));
        assertThat(cause).isInstanceOf(RunRefusedException.class);
        return (RunRefusedException) cause;
    }

    /** The scheduler believed that the run was paused, and was never corrected. */
    @Test
    void aResumeWhoseAnswerWasLostIsExecuted() throws IOException {
        String runId = keeper.start(TWO_STEPS);
        firstAgent(runId);
        assertThat(keeper.pause(runId).refusal()).isEmpty();
        letTheFirstStepEnd();
        assertThat(keeper.until(runId, "paused").isEmpty()).isFalse();
        store.losesTheAnswerTo("run.resumed");

        assertThat(keeper.resume(runId, ResumeRequest.PLAIN).refusal().map(Refusal::code))
                .contains(RefusalCode.STORE_UNAVAILABLE);
        awaitRefusals(1);
        store.back();

        assertCompletedOnce(runId);
    }

    @Test
    void aStopReachesTheAgentsAndIsRecordedWhenTheStoreIsBack() {
        String runId = keeper.start(TWO_STEPS);
        ProcessHandle agent = firstAgent(runId);
        store.away();

        Refusal refused = keeper.stop(runId, true).refusal().orElseThrow();

        assertThat(refused.code()).isEqualTo(RefusalCode.STORE_UNAVAILABLE);
        Awaitility.await().atMost(SOON).until(() -> !agent.isAlive());
        store.back();
        JsonNode run = keeper.until(runId, "failed", "stopped", "completed", "paused");
        assertThat(run.at("/termination/subtype").asText()).isEqualTo("error_operator_stop");
        // The proof of what was ended waits for the store, too.
        Awaitility.await().atMost(SOON).until(() -> !keeper.receipts(runId).isEmpty());
    }

    @Test
    void aRunOnAFullStoreEndsAsBefore() throws IOException {
        String runId = keeper.start(TWO_STEPS);
        ProcessHandle agent = firstAgent(runId);
        store.full();
        letTheFirstStepEnd();
        Awaitility.await().atMost(SOON).until(() -> !agent.isAlive());
        awaitRefusals(1);
        store.back();

        JsonNode run = keeper.until(runId, "completed", "failed", "stopped", "paused");
        assertThat(run.at("/termination/subtype").asText()).isEqualTo("error_infrastructure");
        assertThat(Files.readAllLines(launched())).containsExactly("1");
    }
}
