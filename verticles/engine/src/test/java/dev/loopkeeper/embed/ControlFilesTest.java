package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands by file, in a whole Loopkeeper with real agents. */
@Execution(ExecutionMode.CONCURRENT)
class ControlFilesTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String LOOP = """
            name: by-file
            agents: {dev: {command: ./dev.sh, onRuntimeDeath: kill}}
            phases: [{name: build, loop: {steps: [dev], maxIterations: 2, until: iterations}}]
            """;

    @TempDir
    private Path folder;

    private Keeper keeper;
    private Path control;

    @BeforeEach
    void startKeeper() throws IOException {
        keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"));
        control = Files.createDirectories(keeper.workspace().resolve(".loopkeeper/control"));
        keeper.script("dev.sh", "while [ ! -e go ]; do sleep 0.1; done");
    }

    @AfterEach
    void closeKeeper() {
        keeper.close();
    }

    @CanIgnoreReturnValue
    private Path write(String runId, String text) throws IOException {
        Path draft = Files.writeString(control.resolve("." + runId + ".draft"), text);
        return Files.move(draft, control.resolve(runId + ".json"), StandardCopyOption.ATOMIC_MOVE);
    }

    private String startRunning() {
        String runId = keeper.start(LOOP);
        assertThat(keeper.until(runId, "running").path("name").asText()).isEqualTo("by-file");
        return runId;
    }

    /** Taken is not yet executed: the agent may end before its run is notified of a pause. */
    private void awaitExecuted() {
        Awaitility.await().atMost(SOON).until(() -> left().length == 0);
    }

    @CanIgnoreReturnValue
    private Path awaitRejected(String runId) {
        Path rejected = control.resolve(runId + ".json.rejected");
        Awaitility.await().atMost(SOON).until(() -> Files.exists(rejected, LinkOption.NOFOLLOW_LINKS));
        return rejected;
    }

    private String reason(String runId) throws IOException {
        return Files.readString(control.resolve(runId + ".json.rejected.txt"));
    }

    private String[] left() throws IOException {
        try (var entries = Files.list(control)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toArray(String[]::new);
        }
    }

    @Test
    void aFileStopsItsRun() throws IOException {
        String runId = startRunning();
        write(runId, "{\"action\": \"stop\", \"reason\": \"enough\", \"now\": true}");
        JsonNode run = keeper.until(runId, "stopped");
        assertThat(run.at("/termination/subtype").asText()).isEqualTo("error_operator_stop");
        Awaitility.await().atMost(SOON).until(() -> left().length == 0);
    }

    @Test
    void filesPauseARunAndLetItContinue() throws IOException {
        String runId = startRunning();
        write(runId, "{\"action\": \"pause\", \"reason\": \"lunch\"}");
        awaitExecuted();
        Files.createFile(keeper.workspace().resolve("go"));
        assertThat(keeper.until(runId, "paused", "completed", "stopped")
                        .at("/pause/reason")
                        .asText())
                .isEqualTo("operator");
        write(runId, "{\"action\": \"resume\", \"resumeAction\": \"finish_loop\", \"feedback\": \"well done\"}");
        assertThat(keeper.until(runId, "completed", "stopped").path("status").asText())
                .isEqualTo("completed");
        assertThat(keeper.steps(runId)).hasSize(1);
        Awaitility.await().atMost(SOON).until(() -> left().length == 0);
    }

    @Test
    void executesACommandOnceAndASecondOneSeparately() throws IOException {
        String runId = startRunning();
        write(runId, "{\"action\": \"pause\"}");
        awaitExecuted();
        Files.createFile(keeper.workspace().resolve("go"));
        assertThat(keeper.until(runId, "paused").path("status").asText()).isEqualTo("paused");
        write(runId, "{\"action\": \"resume\"}");
        awaitExecuted();
        assertThat(keeper.until(runId, "stopped", "completed").path("resumable").isBoolean())
                .isTrue();
        assertThat(keeper.events(runId).stream().filter(event -> event.type().equals("run.paused")))
                .hasSize(1);
        assertThat(keeper.events(runId).stream().filter(event -> event.type().equals("run.resumed")))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"action": "explode"}                         | stop, pause or resume
            {}                                            | stop, pause or resume
            {"action": "stop", "resaon": "x"}             | did you mean reason
            {"action": "pause", "now": true}              | now is not known
            {"action": "resume", "resumeAction": "dance"} | resumeAction is unknown
            {"action": "resume", "budget": {"costUsd": -1}} | budget.costUsd
            ["stop"]                                      | must be one JSON object
            {"action": "resume"}                          | not-resumable
            """)
    void anInvalidFileIsMovedAsideWithTheReason(String text, String reason) throws IOException {
        String runId = startRunning();
        write(runId, text);
        assertThat(awaitRejected(runId)).hasContent(text);
        assertThat(reason(runId)).contains(reason);
        assertThat(left()).containsExactly(runId + ".json.rejected", runId + ".json.rejected.txt");
        assertThat(keeper.get(runId).path("status").asText()).isEqualTo("running");
        awaitNotice(runId, reason);
    }

    private void awaitNotice(String runId, String reason) {
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(keeper.events(runId))
                        .filteredOn(event -> event.type().equals("notice"))
                        .map(event -> event.data().path("code").asText() + " "
                                + event.data().path("message").asText())
                        .singleElement()
                        .asString()
                        .startsWith("control-file-refused ")
                        .contains(runId + ".json.rejected", reason));
    }

    @Test
    void reportsAFileInTheWrongWorkspaceToItsRun() throws IOException {
        String here = startRunning();
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        String there = keeper.start(LOOP.replace("by-file", "there").replace("./dev.sh", "sleep 600"), elsewhere);
        write(there, "{\"action\": \"stop\"}");
        awaitNotice(there, "there is no run " + there + " in this workspace");
        assertThat(keeper.get(here).path("status").asText()).isEqualTo("running");
    }

    @Test
    void aHalfWrittenFileIsLeftUntilItIsWhole() throws IOException {
        String runId = startRunning();
        Path file = Files.writeString(control.resolve(runId + ".json"), "{\"action\": \"st");
        Awaitility.await()
                .during(Duration.ofMillis(1200))
                .atMost(Duration.ofSeconds(60))
                .until(() -> isThereAndYoung(file));
        Files.writeString(file, "{\"action\": \"stop\"}");
        assertThat(keeper.until(runId, "stopped").path("status").asText()).isEqualTo("stopped");
    }

    /** Younger than it is, so that a pause of this test does not make it one that is never finished. */
    private static boolean isThereAndYoung(Path file) throws IOException {
        return Files.exists(
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusMillis(1500))));
    }

    @Test
    void aFileThatStaysIncompleteIsMovedAside() throws IOException {
        String runId = keeper.start(LOOP);
        write(runId, "{\"action\": \"st");
        awaitRejected(runId);
        assertThat(reason(runId)).contains("not valid JSON");
    }

    @Test
    void aFileForNoRunIsMovedAside() throws IOException {
        assertThat(keeper.start(LOOP)).isNotEmpty();
        write("no-such-run", "{\"action\": \"stop\"}");
        awaitRejected("no-such-run");
        assertThat(reason("no-such-run")).contains("there is no run no-such-run");
    }

    @Test
    void aLinkIsMovedAsideAndWhatItLeadsToIsUntouched() throws IOException {
        String runId = startRunning();
        Path target = Files.writeString(folder.resolve("target"), "{\"action\": \"stop\"}");
        Files.createSymbolicLink(control.resolve(runId + ".json"), target);
        assertThat(awaitRejected(runId)).isSymbolicLink();
        assertThat(reason(runId)).contains("not a regular file");
        assertThat(target).hasContent("{\"action\": \"stop\"}");
        assertThat(keeper.get(runId).path("status").asText()).isEqualTo("running");
    }

    @Test
    void aFileThatIsTooLongIsMovedAside() throws IOException {
        String runId = keeper.start(LOOP);
        write(runId, "{\"action\": \"stop\", \"reason\": \"" + "x".repeat(65536) + "\"}");
        awaitRejected(runId);
        assertThat(reason(runId)).contains("longer than 65536 bytes");
    }

    @Test
    void executesACommandThatAnEarlierRuntimeHadTaken() throws IOException {
        String runId = keeper.start(LOOP.replace("kill", "keep"));
        assertThat(keeper.until(runId, "running").path("runId").asText()).isEqualTo(runId);
        keeper.close();
        Files.writeString(control.resolve(runId + ".json.taken"), "{\"action\": \"stop\", \"now\": true}");
        keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"));
        assertThat(keeper.until(runId, "stopped").at("/termination/subtype").asText())
                .isEqualTo("error_operator_stop");
        Awaitility.await().atMost(SOON).until(() -> left().length == 0);
    }
}
