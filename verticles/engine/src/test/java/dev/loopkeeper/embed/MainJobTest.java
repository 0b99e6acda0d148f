package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.termination.ResumeAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main job with real processes, real files and the real store. */
class MainJobTest {
    private static final String LOOP = """
            name: main-job
            agents:
              dev: {command: ./dev.sh, signal: .loopkeeper/dev.json}
              judge: {command: ./judge.sh, signal: .loopkeeper/judge.json}
            phases:
              - name: build
                loop: {steps: [dev, judge]}
            """;
    private static final String DEV = """
            echo "line $LOOPKEEPER_ITERATION" >> work.txt
            echo '{"determination": "PROGRESS"}' > "$LOOPKEEPER_SIGNAL_FILE"
            """;
    private static final String JUDGE = """
            if [ "$(wc -l < work.txt)" -ge 3 ]; then d=SUCCESS; else d=PROGRESS; fi
            echo "{\\"determination\\": \\"$d\\", \\"nonce\\": \\"$LOOPKEEPER_NONCE\\"}" > "$LOOPKEEPER_SIGNAL_FILE"
            """;

    @TempDir
    private Path folder;

    private Keeper keeper;

    @BeforeEach
    void startKeeper() throws IOException {
        keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"));
        keeper.script("dev.sh", DEV);
        keeper.script("judge.sh", JUDGE);
    }

    @AfterEach
    void closeKeeper() {
        keeper.close();
    }

    @Test
    void aLoopRunsUntilTheJudgeSaysSuccess() throws IOException {
        String runId = keeper.start(LOOP);
        JsonNode run = keeper.until(runId, "completed", "failed", "stopped", "paused");
        assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("completed");
        assertThat(run.at("/termination/subtype").asText()).isEqualTo("stop");
        assertThat(Files.readAllLines(keeper.workspace().resolve("work.txt"))).hasSize(3);
        assertThat(keeper.steps(runId)).hasSize(6);
        assertGapFree(keeper.events(runId));
        Awaitility.await()
                .untilAsserted(() -> assertThat(keeper.published(runId).stream().map(StoredEvent::sequence))
                        .containsExactlyElementsOf(keeper.events(runId).stream()
                                .map(StoredEvent::sequence)
                                .toList()));
        assertThat(keeper.events(runId).stream().filter(event -> event.type().equals("run.ended")))
                .hasSize(1);
    }

    @Test
    void aMissingSignalPausesAndARetryContinues() throws IOException {
        keeper.script(
                "dev.sh",
                "[ -n \"$LOOPKEEPER_FEEDBACK\" ] || exit 0\necho \"$LOOPKEEPER_FEEDBACK\" > told.txt\n" + DEV);
        String runId = keeper.start(LOOP);
        JsonNode paused = keeper.until(runId, "paused");
        assertThat(paused.at("/pause/reason").asText()).isEqualTo("missing_signals");
        assertThat(paused.at("/pause/detail").asText()).isEqualTo("absent");
        assertThat(paused.at("/position/iteration").asInt()).isEqualTo(1);
        assertThat(keeper.resume(runId, with(ResumeAction.RETRY_ITERATION, "leave the signal"))
                        .refusal())
                .isEmpty();
        JsonNode run = keeper.until(runId, "completed", "paused");
        assertThat(run.path("status").asText()).isEqualTo("completed");
        assertThat(Files.readString(keeper.workspace().resolve("told.txt"))).isEqualTo("leave the signal\n");
        assertThat(keeper.steps(runId).get(1).path("stepId").asText()).isEqualTo("build.1.dev.2");
    }

    @Test
    void aStopEndsAnAgentThatIgnoresTermAndItsChild() throws IOException {
        keeper.script("dev.sh", "trap '' TERM\nsleep 300 &\necho $! > child.pid\nsleep 300\nwhile :; do sleep 1; done");
        String runId = keeper.start(LOOP);
        Awaitility.await()
                .until(() -> Files.exists(keeper.workspace().resolve("child.pid"))
                        && !Files.readString(keeper.workspace().resolve("child.pid"))
                                .isBlank());
        long child = Long.parseLong(
                Files.readString(keeper.workspace().resolve("child.pid")).trim());
        long agent = keeper.steps(runId).get(0).path("pid").asLong();
        assertThat(keeper.stop(runId, false).refusal()).isEmpty();
        JsonNode run = keeper.until(runId, "stopped", "failed", "paused");
        assertThat(run.at("/termination/subtype").asText()).isEqualTo("error_operator_stop");
        assertThat(isAlive(child)).isFalse();
        assertThat(isAlive(agent)).isFalse();
        List<StoredEvent> events = keeper.events(runId);
        assertThat(events.get(events.size() - 1).type()).isEqualTo("run.ended");
    }

    /** A zombie is dead: only its entry waits for its parent. */
    private static boolean isAlive(long pid) {
        try {
            return !Files.readString(Path.of("/proc", String.valueOf(pid), "stat"))
                    .contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    private static ResumeRequest with(ResumeAction action, String feedback) {
        return ResumeRequest.PLAIN.action(action).feedback(feedback);
    }

    private static void assertGapFree(List<StoredEvent> events) {
        assertThat(events.stream().map(StoredEvent::sequence).toList())
                .isEqualTo(LongStream.rangeClosed(1, events.size()).boxed().toList());
    }
}
